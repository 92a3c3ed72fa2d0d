"""CUDA's device run-time library as kernels call it: launches, streams, memory.

Means: what kernels launch, copy and fill is queued, and done when the kernel has ended. So streams
and events of device code only need to exist. Memory comes from ``malloc``.
Limits: no copies of three dimensions.
"""

from __future__ import annotations

from drano.dynamic.cpu.helpers.definition import CONTEXT, define

_STREAM = "store ptr inttoptr (i64 16 to ptr), ptr %p\nret i32 0"
_BODIES = {
    "GetParameterBuffer": ("ptr", "i64 %align, i64 %n", """
        %m = add i64 %n, 1
        %r = call ptr @drano_device_malloc(i64 %m)
        ret ptr %r"""),
    "LaunchDevice": ("i32", f"{CONTEXT}, ptr %f, ptr %p, ptr %g, ptr %b, i32 %shared, ptr %s", """
        %r = call i32 @drano_launch_device(ptr %w, ptr %f, ptr %p, ptr %g, ptr %b, \
i32 %shared, ptr %s)
        ret i32 %r"""),
    "MemcpyAsync": ("i32", f"{CONTEXT}, ptr %to, ptr %from, i64 %n, i32 %kind, ptr %s", """
        %r = call i32 @drano_copy_device(ptr %w, ptr %to, i64 %n, ptr %from, i64 %n, i64 %n, \
i64 1, ptr %s)
        ret i32 %r"""),
    "Memcpy2DAsync": ("i32", f"{CONTEXT}, ptr %to, i64 %tp, ptr %from, i64 %fp, i64 %n, i64 %rows, \
i32 %kind, ptr %s", """
        %r = call i32 @drano_copy_device(ptr %w, ptr %to, i64 %tp, ptr %from, i64 %fp, i64 %n, \
i64 %rows, ptr %s)
        ret i32 %r"""),
    "MemsetAsync": ("i32", f"{CONTEXT}, ptr %to, i32 %v, i64 %n, ptr %s", """
        %r = call i32 @drano_fill_device(ptr %w, ptr %to, i64 %n, i32 %v, i64 %n, i64 1, ptr %s)
        ret i32 %r"""),
    "Memset2DAsync": (
        "i32", f"{CONTEXT}, ptr %to, i64 %pitch, i32 %v, i64 %n, i64 %rows, ptr %s", """
        %r = call i32 @drano_fill_device(ptr %w, ptr %to, i64 %pitch, i32 %v, i64 %n, i64 %rows, \
ptr %s)
        ret i32 %r"""),
    "Malloc": ("i32", "ptr %to, i64 %n", """
        %r = call ptr @drano_device_malloc(i64 %n)
        store ptr %r, ptr %to
        %z = icmp eq ptr %r, null
        %e = select i1 %z, i32 2, i32 0
        ret i32 %e"""),
    "Free": ("i32", "ptr %p", "call void @drano_device_free(ptr %p)\nret i32 0"),
    "GetDevice": ("i32", "ptr %p", "store i32 0, ptr %p\nret i32 0"),
    "GetDeviceCount": ("i32", "ptr %p", "store i32 1, ptr %p\nret i32 0"),
    "GetLastError": ("i32", "", "ret i32 0"),
    "PeekAtLastError": ("i32", "", "ret i32 0"),
    "GetErrorString": ("ptr", "i32 %e", """
        %r = call ptr @drano_error_text(i32 %e, i32 0)
        ret ptr %r"""),
    "GetErrorName": ("ptr", "i32 %e", """
        %r = call ptr @drano_error_text(i32 %e, i32 1)
        ret ptr %r"""),
    "StreamCreateWithFlags": ("i32", "ptr %p, i32 %f", _STREAM),
    "StreamDestroy": ("i32", "ptr %s", "ret i32 0"),
    "StreamWaitEvent": ("i32", "ptr %s, ptr %e, i32 %f", "ret i32 0"),
    "EventCreateWithFlags": ("i32", "ptr %p, i32 %f", _STREAM),
    "EventDestroy": ("i32", "ptr %e", "ret i32 0"),
    "EventRecord": ("i32", "ptr %e, ptr %s", "ret i32 0"),
}  # fmt: skip
NESTED_CALLS = {
    f"{prefix}{name}": define(f"drano.call.{prefix}{name}", result, parameters, body)
    for prefix in ("cuda", "__cudaCDP2")
    for name, (result, parameters, body) in _BODIES.items()
}
