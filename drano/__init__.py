"""drano finds uncoalesced memory accesses in CUDA kernels, without a GPU and without a CUDA SDK.

Public API: ``check(paths, config) -> Report``, ``check_triton(kernel, …) -> Report``, and for tests
``assert_coalesced(kernel, …)``. All modules, by layer, top to bottom:

``drano.cli``: The command line
``drano.cli.analysis``: A run of the analysis as commands share it
``drano.cli.check``: `drano check`
``drano.cli.commands``: The commands but `check` and `fix`
``drano.cli.console``: What commands say and write
``drano.cli.doctor``: What of the toolchain was found
``drano.cli.explain``: ``drano explain FILE:LINE``
``drano.cli.fix``: ``drano fix`` and ``drano check --fix``
``drano.cli.fix_command``: `drano fix`, and `drano check --fix`
``drano.cli.init``: ``drano init``
``drano.cli.main``: The command line
``drano.cli.progress_bar``: What is going on, on stderr, on a terminal only
``drano.cli.watch``: ``--watch``
``drano.__main__``: ``python -m drano``
``drano.python``: Kernels of Python programs, for their tests
``drano.python.assertions``: ``assert_coalesced``
``drano.python.capture``: ``drano capture -- python script.py``
``drano.python.compiled_source``: What a compiler has made of a kernel's Python source, checked
    and reported as that source
``drano.python.driver_hooks``: What a Python program hands to NVIDIA's driver, linker and run-time
    compiler by itself
``drano.python.jax_hooks``: What of a JAX program is recorded
``drano.python.jax_records``: What a JAX program has left for us, made into records
``drano.python.numba_kernels``: A Numba kernel, compiled and checked without a GPU
``drano.python.numba_ptx``: What Numba makes of a kernel
``drano.python.numba_requests``: What compiles Numba kernels with signatures in comments, for
    ``run.annotated_kernels``
``drano.python.pallas_kernels``: Pallas's kernels, as ``jax_hooks.py`` has recorded them, compiled
    by Triton
``drano.python.pytest_plugin``: The pytest plugin
``drano.python.recorder``: Records what a Python program compiles for GPUs, from within its own
    process
``drano.python.triton_kernels``: A Triton kernel, compiled and checked without a GPU
``drano.python.triton_requests``: What compiles kernels with signatures in comments, for
    ``run.annotated_kernels``
``drano.python.xla_dumps``: What XLA has dumped of a JAX program, as PTX that drano reads
``drano.lsp``: The language server
``drano.lsp.answers``: What an editor is answered
``drano.lsp.answers.code_actions``: Code actions
``drano.lsp.answers.diagnostics``: From findings to the protocol's diagnostics
``drano.lsp.answers.hover``: What is shown for an access under the cursor, and for a rule named in
    a suppression
``drano.lsp.answers.lenses``: Numbers beside the code
``drano.lsp.answers.proved_fixes``: Edits that may mend a finding
``drano.lsp.answers.rule_page_files``: Rule pages as files that an editor can open
``drano.lsp.built_code``: Findings of a saved source beside what its build has made, for the hover
``drano.lsp.documents``: Open files, as the editor has them
``drano.lsp.language_server``: The server as the session's client
``drano.lsp.neighbours``: Launches that the files of the workspace show of each other's kernels,
    and device code that they have of each other
``drano.lsp.pool``: The pool of worker processes
``drano.lsp.positions``: Places in a text
``drano.lsp.protocol``: pygls's protocol, without its own copy of the documents
``drano.lsp.server``: The language server's handlers
``drano.lsp.session``: What is open in the editor, what is analysed when, and what is then said
    about which file
``drano.lsp.settings``: The settings of a file's analysis in an editor
``drano.lsp.start``: Starting the language server
``drano.lsp.units``: What is known of each unit
``drano.lsp.worker``: A process that analyses one unit after the other for the language server
``drano.lsp.workspace``: The command that analyses all sources of the workspace, with progress and
    a way to stop it
``drano.config``: What the user asks for, read
``drano.config.argument_values``: Values of command-line arguments
``drano.config.arguments``: The command line's options, and the ``Config`` that they make
``drano.config.command_parser``: The parser of each command's arguments
``drano.config.config_file``: Configuration files
``drano.config.file_keys``: The keys of a configuration file
``drano.config.option_groups``: Groups of options that several commands take
``drano.config.settings_text``: Settings as text
``drano.fix``: ``drano fix``
``drano.fix.attach``: Findings with the fixes that are proved to mend them, for editors and
    reports
``drano.fix.catalogue``: The edits that drano knows, one a module
``drano.fix.catalogue.align_structure``: Align a structure, so that several of its members are
    read at once
``drano.fix.catalogue.base``: What an edit of the catalogue is, and what it may look at
``drano.fix.catalogue.found_rows``: Which rows that a loop reads there are findings for
``drano.fix.catalogue.interchange_loops``: Interchange the loop over a thread's row with the
    threads
``drano.fix.catalogue.keep_scratch_local``: Keep each thread's part of a scratch array in local
    memory
``drano.fix.catalogue.pad_shared_array``: Pad the rows of an array in shared memory
``drano.fix.catalogue.privatise_histogram``: Count in shared memory first, and add a block's
    counts to the array once
``drano.fix.catalogue.renumber_threads``: Number a block's threads so that neighbours in a warp
    differ in threadIdx.y
``drano.fix.catalogue.reshape_block``: Launch a kernel with blocks of another shape
``drano.fix.catalogue.restrict_parameters``: Promise that a kernel's arrays do not overlap
``drano.fix.catalogue.split_memory_spaces``: Write a loop once for each memory space that its
    pointer may point into
``drano.fix.catalogue.split_structure``: Keep an array of structures by members, on the device
``drano.fix.catalogue.stage_rows``: Read rows together into shared memory, where each thread walks
    along a row of its own
``drano.fix.catalogue.stride_across_block``: Let the threads of a block take turns, instead of a
    stretch of elements for each thread
``drano.fix.catalogue.swap_thread_indices``: Swap the roles of threadIdx.x and threadIdx.y
``drano.fix.catalogue.table``: The table of edits, in the order in which they are tried for a
    finding
``drano.fix.catalogue.transpose_through_tile``: Transpose through a tile in shared memory
``drano.fix.catalogue.widen_loop_reads``: Read or write several neighbouring elements of a
    thread's row at once
``drano.fix.edit``: Edits of source files
``drano.fix.host``: What an edit may ask of the host's source
``drano.fix.host.calls``: Calls and launches in the text of a unit, with the places of their
    arguments
``drano.fix.host.device_arrays``: Variables of the host's that hold an array on the device, with
    all that is done with them
``drano.fix.host.dimensions``: The sizes of grids and blocks in the text of launches
``drano.fix.host.launched_kernel``: A kernel of a unit with all of its launches
``drano.fix.host.separate_arrays``: Whether the arrays that a kernel is given are different ones
``drano.fix.kernel``: What an edit may ask of a kernel's source
``drano.fix.kernel.global_numbers``: Kernels whose threads know nothing of themselves but their
    numbers in the whole launch
``drano.fix.kernel.half_numbers``: Numbers of two bytes that CUDA's headers define as classes, and
    arithmetic with them
``drano.fix.kernel.handed_statements``: Statements of a kernel whose one access threads may do for
    each other
``drano.fix.kernel.loops``: Loops of a kernel that an edit may cut or copy
``drano.fix.kernel.moved_pointers``: Parameters that a function moves to a thread's own part of an
    array before it uses them
``drano.fix.kernel.other_threads``: Expressions of a kernel as another thread of the block would
    evaluate them
``drano.fix.kernel.ranges``: What values an index may have, told from the source
``drano.fix.kernel.rows``: Rows of an array along which a thread walks in a loop, and what may be
    read ahead of them
``drano.fix.kernel.shared_memory``: The shared memory that a unit's kernels have in use, told from
    the source
``drano.fix.kernel.sums``: Sums of atoms, and what their bounds say of them
``drano.fix.kernel.tiles``: Tiles in shared memory in which a warp finds its elements in banks of
    their own
``drano.fix.kernel.variable_writes``: What assigns the variables of a function, and which loops
    count them
``drano.fix.kernel.warp_lanes``: Which lanes of a warp come to a statement of a kernel
``drano.fix.proof``: Whether an edit mends what it is for
``drano.fix.records``: What other structures of a unit make of one
``drano.fix.review``: Changes as a review of a pull request on GitHub, whose comments hold
    suggestions
``drano.fix.row_tiles``: The text by which the lanes of a warp read rows together, in tiles of
    shared memory
``drano.fix.search``: Which edits are proved to mend the findings of a unit, and the unit with all
    of them made
``drano.fix.source_tree``: The functions of a unit as trees of libclang, with their places in the
    text
``drano.fix.split_accesses``: A kernel's accesses to an array of structures, written for one that
    is split by members
``drano.fix.split_layout``: An array of structures with the members of neighbouring elements side
    by side
``drano.fix.trial``: A unit analysed with texts in the place of its files, as ``drano check``
    analyses saved ones
``drano.fix.verify``: Both versions of a program, before and after fixes, built, run on the CPU,
    and compared
``drano.fix.verify.compare``: Whether two versions of a program did the same
``drano.fix.verify.mirror``: A copy of a program's sources in which some files have other texts
``drano.fix.verify.observe``: One version of a program, built for the CPU and run
``drano.fix.verify.relaid``: Arrays of structures that the second version keeps by members, as the
    first one has them
``drano.fix.verify.verify``: ``drano fix --verify``
``drano.fix.write``: Writing edited sources
``drano.run``: From paths to a report
``drano.run.annotated_kernels``: Triton's and Numba's kernels with a signature in a comment,
    compiled in a process of their own
``drano.run.cluster``: ``--executor dask:ADDRESS`` and ``ray:ADDRESS``
``drano.run.driver``: From paths to a report
``drano.run.found_sources``: Which files below a directory are CUDA sources
``drano.run.git_changes``: What git says has changed since a commit, and the commit's findings
``drano.run.git_objects``: What a git repository holds, read without running anything that the
    repository names
``drano.run.numba_words``: What is said of Numba kernels, in Numba's words
``drano.run.other_units``: What the units of a run have of each other
``drano.run.other_units.code_elsewhere``: Device code that a unit's kernels reach and other units
    of the run define (``nvcc -rdc=true``)
``drano.run.other_units.definers_beside``: Which sources beside a unit seem to define functions
    that it lacks, told by their text
``drano.run.other_units.function_mentions``: How the text of a unit names a function
``drano.run.other_units.includers``: Which sources of the workspace include a header, told by
    their text
``drano.run.other_units.joined_code``: One unit among those that are linked with it
``drano.run.other_units.launches_elsewhere``: Launches of a unit's kernels in the other units of a
    run
``drano.run.other_units.told_elsewhere``: All that the units of a run tell each other
``drano.run.parallel``: Units in processes of their own
``drano.run.pipeline``: One translation unit, from its path to its report, readable top to bottom
``drano.run.python_source``: One Python source
``drano.run.renamed_texts``: All texts of a report in other words
``drano.run.result_cache``: The cache of results
``drano.run.triton_words``: What is said of kernels that Triton compiles, in Triton's words or
    Pallas's
``drano.run.worker``: A process that analyses one unit after the other, and the side that holds it
``drano.run.xla_words``: What is said of kernels that XLA writes
``drano.dynamic``: Programs that are run
``drano.dynamic.compiler``: ``drano cc`` and ``drano run``
``drano.dynamic.compiler.cc``: ``drano cc``
``drano.dynamic.compiler.closed_libraries``: CUDA's closed libraries (cuBLAS, cuFFT …) in programs
    for the CPU
``drano.dynamic.compiler.command_line``: A compiler's command line as ``drano cc`` must obey it
``drano.dynamic.compiler.cuda_source``: One object of one CUDA source
``drano.dynamic.compiler.linking``: Linking programs and libraries with the run-time library in
    the place of libcudart
``drano.dynamic.compiler.make_rule``: The make rule that ``-MD`` and its like ask for
``drano.dynamic.compiler.openmp``: OpenMP in host code
``drano.dynamic.compiler.ptx_code``: PTX in the place of a unit's own device code
``drano.dynamic.compiler.run``: ``drano run``
``drano.dynamic.compiler.sdk_directory``: A directory that looks like a CUDA SDK, for build
    systems that want one
``drano.dynamic.compiler.tools``: The tools that building needs, and how they are run
``drano.dynamic.cpu``: Kernels as native code of this machine
``drano.dynamic.cpu.abi``: Offsets and types of ``runtime/drano_abi.h``, as the generated code
    uses them
``drano.dynamic.cpu.called_library``: Functions that are called as they are
``drano.dynamic.cpu.context``: What the functions of a unit share
``drano.dynamic.cpu.device_function``: A device function as the lowering sees it
``drano.dynamic.cpu.errors``: What the CPU back end cannot lower
``drano.dynamic.cpu.full_warp``: Nodes written a second time, for warps whose 32 lanes are all
    active
``drano.dynamic.cpu.full_warp.accesses``: Accesses of a full warp
``drano.dynamic.cpu.full_warp.nodes``: Nodes for full warps
``drano.dynamic.cpu.full_warp.values``: Values of a full warp as SSA values
``drano.dynamic.cpu.helpers``: Native functions for what only a GPU has, as LLVM IR text
``drano.dynamic.cpu.helpers.cross_lane``: Cross-lane intrinsics
``drano.dynamic.cpu.helpers.definition``: How a helper function is written
``drano.dynamic.cpu.helpers.lookup``: The functions that stand for GPU intrinsics in native code,
    as LLVM IR text
``drano.dynamic.cpu.helpers.mathematics``: Arithmetic intrinsics of the GPU in terms of LLVM's
    own, as IR text
``drano.dynamic.cpu.helpers.memory``: Memory accesses of all active lanes at once, as IR text
``drano.dynamic.cpu.helpers.nested_launches``: CUDA's device run-time library as kernels call it
``drano.dynamic.cpu.helpers.rounding``: Arithmetic with directed rounding (``.rz``, ``.rm``,
    ``.rp``), as IR text
``drano.dynamic.cpu.instructions``: One instruction that only computes, for one lane
``drano.dynamic.cpu.lane_memory``: The local memory of a lane
``drano.dynamic.cpu.lane_steps``: One step of a node as a native function
``drano.dynamic.cpu.native``: From IR text for this machine to an object file, by LLVM's own
    optimiser and code generator
``drano.dynamic.cpu.operand_writer``: Operands of the printed function, rewritten for the native
    function that is being written
``drano.dynamic.cpu.plan``: How a function is divided
``drano.dynamic.cpu.ptx``: Inline PTX as LLVM IR for this machine
``drano.dynamic.cpu.ptx.asm``: Inline PTX that only a machine can be asked for, as LLVM IR for
    this one
``drano.dynamic.cpu.ptx.barriers``: Barriers in shared memory (``mbarrier``) in inline PTX
``drano.dynamic.cpu.ptx.images``: Textures and surfaces in inline PTX, served by the run-time
    library
``drano.dynamic.cpu.recipes``: How each instruction is lowered
``drano.dynamic.cpu.rewrites``: Intrinsics that are rewritten first, as instructions that the
    whole back end knows
``drano.dynamic.cpu.rewrites.async_copies``: Copies from global to shared memory that need no
    register (``cp.async``), done at once
``drano.dynamic.cpu.rewrites.local_bounds``: Accesses of arrays in a thread's own memory, checked
    to be within them
``drano.dynamic.cpu.rewrites.matrix_assembly``: PTX for tensor cores as functions of the module
``drano.dynamic.cpu.rewrites.shared_numbers``: Numbers that are addresses of shared memory, as
    inline PTX takes them, as real addresses
``drano.dynamic.cpu.rewrites.tensor_fragments``: Products of tiles (``nvcuda::wmma``) as loads,
    shuffles and sums, which the back end knows
``drano.dynamic.cpu.runtime_library``: The run-time library as one relocatable object, built once
    by the available clang and cached
``drano.dynamic.cpu.scheduler``: The step function of a kernel
``drano.dynamic.cpu.scheduler.all_lanes``: What a step function does for all lanes at once
``drano.dynamic.cpu.scheduler.cooperative_groups``: Cooperative groups
``drano.dynamic.cpu.scheduler.step_function``: The scheduler of a kernel
``drano.dynamic.cpu.scheduler.vocabulary``: The vocabulary of step functions
``drano.dynamic.cpu.scheduler.waiting``: How lanes wait, at barriers of the block and the grid and
    for each other, and how they end
``drano.dynamic.cpu.translated_text``: From an instruction printed for the GPU to the same
    instruction for the CPU, as text
``drano.dynamic.cpu.unit``: A translation unit's device code, from IR to an object file
``drano.dynamic.cpu.unit_table``: The unit's table, as the run-time library reads it
``drano.dynamic.cpu.variables``: Device variables at module level in native code
``drano.dynamic.cpu.visit_counts``: Counting how often blocks of code are executed
``drano.dynamic.gpu``: The GPU back end
``drano.dynamic.gpu.counting``: Counting on the GPU
``drano.dynamic.gpu.counting.block_visits``: Counting how often blocks of code are executed on a
    GPU
``drano.dynamic.gpu.counting.counted_body``: The accesses of one function, gathered into segments
    whose ends call the counting library
``drano.dynamic.gpu.counting.counting_calls``: From counting calls before accesses to those of the
    GPU's counting library
``drano.dynamic.gpu.counting.counting_library``: What kernels call of the GPU's counting library,
    as declarations of LLVM's IR
``drano.dynamic.gpu.counting.library_code``: The counting library as LLVM's IR, compiled once, and
    linked into a module
``drano.dynamic.gpu.counting.loop_forms``: Loops of a kernel, as far as they decide how accesses
    in them are counted
``drano.dynamic.gpu.counting.proved_costs``: What is proved of an access, as the counting library
    takes it
``drano.dynamic.gpu.counting.sampling``: Counting only some blocks
``drano.dynamic.gpu.counting.segment_code``: The functions that count segments, as IR
``drano.dynamic.gpu.counting.segment_sums``: Sums that a thread keeps of segments that repeat
``drano.dynamic.gpu.counting.segments``: Stretches of code whose accesses are counted together
``drano.dynamic.gpu.counting.trip_code``: The functions that count all accesses of a loop before
    it begins, as IR
``drano.dynamic.gpu.counting.trips``: Loops whose accesses are known when they are entered
``drano.dynamic.gpu.device_code``: A unit's device code for a GPU
``drano.dynamic.gpu.linking``: Device code of several units
``drano.dynamic.gpu.linking.embedded``: Device code of a unit that is linked later, in a section
    of the host object
``drano.dynamic.gpu.linking.fatbin``: The container of device code in a host object
``drano.dynamic.gpu.linking.gathered_objects``: Device code that a link has to take, from its
    objects and archives
``drano.dynamic.gpu.linking.link``: Separate compilation for a GPU
``drano.dynamic.gpu.linking.one_module``: Separately compiled units of device code as one module
``drano.dynamic.gpu.linking.registration``: How CUDA's library learns of linked device code,
    instead of by each unit's constructor
``drano.dynamic.gpu.managed``: Variables in managed memory
``drano.dynamic.gpu.replay``: Launches that the host counts while the GPU runs them uncounted, and
    those it need not count
``drano.dynamic.gpu.replay.address_roots``: Where the address of each access comes from
``drano.dynamic.gpu.replay.device_math``: Numbers that only the GPU can tell
``drano.dynamic.gpu.replay.host_code``: Host code that counts what a kernel accesses while the GPU
    runs the kernel uncounted
``drano.dynamic.gpu.replay.repeatable``: Kernels whose counts are the same whenever they are
    launched with the same numbers
``drano.dynamic.gpu.replay.slices``: The part of a kernel that makes its addresses and branches
``drano.dynamic.gpu.replay.written_arrays``: Which arrays a kernel may write to, as far as its
    parameters tell
``drano.dynamic.gpu.runtime_library``: The GPU's run-time library, and CUDA's own beside it
``drano.dynamic.gpu.site_tables``: Tables for the host
``drano.dynamic.gpu.source_accesses``: Accesses kept as the source has them, so that hardware can
    be asked about each
``drano.dynamic.gpu.uncounted``: Kernels as they are without counting, beside those that count
``drano.dynamic.instrument``: Which accesses and blocks a run counts, and the calls that count
    them
``drano.dynamic.instrument.block_work``: What a block of code executes, by source line
``drano.dynamic.instrument.counting_calls``: Insert a counting call before every access
``drano.dynamic.instrument.inline_assembly``: Memory accesses in inline PTX that
    ``ir/prepare/inline_assembly`` does not turn into plain ones
``drano.dynamic.instrument.loop_nesting``: The loops around code, for profiles
``drano.dynamic.instrument.measured_sites``: The accesses that a run measures
``drano.dynamic.instrument.printed_instructions``: A function's instructions as LLVM prints them,
    numbered as the model numbers them
``drano.dynamic.instrument.proved_patterns``: What need not be measured
``drano.dynamic.instrument.unit_identity``: The names of a unit
``drano.dynamic.profiles``: What runs have counted
``drano.dynamic.profiles.cost_agreement``: How well estimated costs order the lines of a program
    that was run
``drano.dynamic.profiles.display_names``: Names of kernels and arrays for people, from those in
    profiles
``drano.dynamic.profiles.executed``: What kernels executed
``drano.dynamic.profiles.line_ranking``: A profile by source line, worst first
``drano.dynamic.profiles.measured_costs``: Measured counts instead of the analysis's estimates
``drano.dynamic.profiles.nsight_compute``: What Nsight Compute has measured, as a profile
``drano.dynamic.profiles.profile``: Profiles
``drano.dynamic.profiles.profile_tree``: A profile from the top down (kernel, calls, loops, line)
    and from the bottom up (function)
``drano.dynamic.profiles.site_matching``: Which measured site an access of the analysis is
``drano.dynamic.profiles.static_against_measured``: Static facts against measured counts
``drano.dynamic.profiles.warp_stalls``: Where sampled warps were, and what they waited for
``drano.dynamic.reports``: Profiles in print
``drano.dynamic.reports.commands``: What ``drano report``, ``drano diff`` and ``drano profile``
    print, from their options
``drano.dynamic.reports.diff``: ``drano diff BASE NEW``
``drano.dynamic.reports.report``: ``drano report``
``drano.dynamic.reports.report_formats``: The formats of ``drano report``, by name
``drano.dynamic.reports.report_html``: A profile as one HTML file
``drano.dynamic.reports.report_sarif``: A profile as SARIF 2.1.0
``drano.dynamic.reports.tree_report``: The tree of a profile as text, JSON and HTML
``drano.dynamic.reports.validate``: What ``drano validate`` prints
``drano.occupancy``: Occupancy
``drano.occupancy.findings``: The findings of DRN501
``drano.occupancy.formula``: Theoretical occupancy, as NVIDIA's ``cuda_occupancy.h`` computes it,
    and the way to more
``drano.occupancy.pressure``: Register pressure
``drano.occupancy.report``: ``drano occupancy``
``drano.occupancy.tuning``: Which way to tune a kernel's occupancy, and the few versions that are
    worth a run
``drano.occupancy.usage``: Registers, spills and shared memory of each kernel of a file, as
    ``ptxas -v`` says
``drano.triage``: Which findings still count
``drano.triage.add_ignores``: ``--add-ignore``
``drano.triage.baseline``: Findings that are known already
``drano.triage.comments``: Comments that speak to drano
``drano.triage.python_comments``: Comments of a Python source, and those of the CUDA source in its
    strings
``drano.triage.suppress``: Findings that the source's own comments silence, and comments that
    silence nothing
``drano.output``: Reports in every format
``drano.output.access_context``: Where an access is
``drano.output.atomic_write``: Writing a report to a file
``drano.output.checkout``: The directory that reported paths are relative to, and which version of
    which repository it is
``drano.output.cost_text``: What findings cost, in words, and the order that follows from it
``drano.output.entries``: Findings folded into entries
``drano.output.explain``: What the analysis knows about single accesses
``drano.output.formats``: The formats of reports, one a module
``drano.output.formats.access_spool``: Accesses on their way to JSON Lines
``drano.output.formats.checkstyle``: Checkstyle's XML, which reviewdog, Jenkins and many other
    tools read
``drano.output.formats.closing``: The end of a report for people
``drano.output.formats.entry_text``: One entry as text
``drano.output.formats.github``: Workflow commands of GitHub Actions
``drano.output.formats.gitlab``: GitLab's code quality report
``drano.output.formats.html``: The HTML report
``drano.output.formats.html_charts``: Where the traffic goes, as bars
``drano.output.formats.html_chunks``: Parts of a page that are loaded when they are looked at
``drano.output.formats.json``: The JSON report
``drano.output.formats.junit``: JUnit XML, which every CI server shows
``drano.output.formats.sarif``: SARIF 2.1.0, for GitHub's code scanning and every other viewer of
    that format
``drano.output.formats.sarif.flows``: Code flows of a result
``drano.output.formats.sarif.log``: The SARIF log of a report
``drano.output.formats.sarif.objects``: Objects of ``sarif_om`` as JSON
``drano.output.formats.sarif.places``: Places in the sources as SARIF has them
``drano.output.formats.sarif.results``: One result of a SARIF log for each finding
``drano.output.formats.sarif.rules``: The rules of drano, and kinds of notifications, as SARIF
    describes them
``drano.output.formats.sarif.standings``: What suppressions and the baseline say of findings
``drano.output.formats.table``: The one table of output formats
``drano.output.formats.text``: Reports for people
``drano.output.formats.text_parts``: What all texts for people are made of
``drano.output.input_problems``: What is said about inputs rather than accesses
``drano.output.lane_picture``: The picture of one access
``drano.output.line_hash``: The fingerprint that GitHub's code scanning gives a result
``drano.output.origin_text``: What compiling made of an access of the source, in words
``drano.output.plurals``: Numbers with their nouns
``drano.output.roofline``: Kernels under a GPU's roofs
``drano.output.sentences``: A finding in whole sentences, for reports that have no layout
``drano.output.short_names``: Names of functions as one can read them
``drano.output.source_lines``: Source lines for reports
``drano.output.statistics``: ``--statistics``
``drano.output.timings``: Where the time went (``--timings``)
``drano.output.utf16_regions``: Regions of source as machine formats want them
``drano.rules``: Rules
``drano.rules.bank_conflict``: DRN101 bank-conflict
``drano.rules.barrier_in_divergent_code``: DRN202 barrier-in-divergent-code
``drano.rules.base``: What a rule is, and the words that all rules share
``drano.rules.column_major_access``: DRN004 column-major-access
``drano.rules.data_dependent_access``: DRN003 data-dependent-access
``drano.rules.divergent_branch``: DRN201 divergent-branch
``drano.rules.generic_access``: DRN301 generic-access
``drano.rules.low_occupancy``: DRN501 low-occupancy
``drano.rules.pages``: The rules' user pages
``drano.rules.reused_array``: DRN402 reused-global-array
``drano.rules.run``: From accesses and facts of control flow to findings
``drano.rules.selection``: Which rules a run asks, and about which files
``drano.rules.table``: The one table of rule codes
``drano.rules.unaligned_access``: DRN002 unaligned-access
``drano.rules.uncoalesced_access``: DRN001 uncoalesced-access
``drano.rules.unused_suppression``: DRN901 unused-suppression
``drano.rules.vectorisable_access``: DRN401 vectorisable-access
``drano.analysis``: What the memory accesses of a module cost, by one of two domains
``drano.analysis.access``: From judgements of sites to accesses in the user's terms
``drano.analysis.access_sites``: Access sites
``drano.analysis.blocks``: The shapes of blocks that a kernel is analysed for, and what it does in
    others
``drano.analysis.blocks.block_shapes``: Block shapes to analyse a kernel for
``drano.analysis.blocks.block_size_independence``: Block-size independence
``drano.analysis.blocks.launch_sums``: Sums of products over what a launch gives
``drano.analysis.blocks.plausible_blocks``: Blocks that are as plausible as the assumed shape, to
    tell what rests on the assumption alone
``drano.analysis.bulk_copies``: Bulk copies (PTX ISA, "cp.async.bulk", "cp.async.bulk.tensor"),
    whose bytes lie side by side
``drano.analysis.callers``: How device functions that stay functions are come to
``drano.analysis.control_structure``: What the control flow of one function says, whatever the
    values
``drano.analysis.cost``: What an access costs in one launch
``drano.analysis.cost.amounts``: Amounts
``drano.analysis.cost.branch_chances``: How likely a block is to be executed, from the branches
    above it
``drano.analysis.cost.defaults``: What is taken of numbers that the source does not give
``drano.analysis.cost.excess_sectors``: Excess sectors of one request
``drano.analysis.cost.grids``: How many warps execute a kernel, over all launches that the source
    shows
``drano.analysis.cost.hoisting``: Which loops an access is moved out of by every optimising
    compiler
``drano.analysis.cost.kernel_work``: Floating-point operations and bytes of a kernel, for its
    place under a GPU's roofs
``drano.analysis.cost.launch_counts``: How often the host launches a kernel
``drano.analysis.cost.model``: The cost of an access
``drano.analysis.cost.operand_amounts``: Operands as amounts
``drano.analysis.cost.trip_counts``: How often loops run
``drano.analysis.cost.unrolled``: Loops that an optimiser has unrolled
``drano.analysis.definitions``: Where the values of a function come from, and what the source
    calls them
``drano.analysis.explain``: An access in the words of its source
``drano.analysis.explain.advice``: What to do about a bad access, in the names of the very code
``drano.analysis.explain.derivation``: How the index of an access comes about, step by step
``drano.analysis.explain.numba_expressions``: The expression of a Numba access as its author wrote
    it
``drano.analysis.explain.python_expressions``: The expression of a Triton access as its author
    wrote it
``drano.analysis.explain.source_expressions``: The expression of an access as its author wrote it,
    found in the source text
``drano.analysis.fixpoint``: The generic solver
``drano.analysis.in_parts``: A large unit, some kernels at a time
``drano.analysis.incremental``: A file analysed again after an edit
``drano.analysis.incremental.function_fingerprint``: What the functions of a module say, apart
    from where they stand, to find those that an edit left unchanged before they are expanded into
    their callers
``drano.analysis.incremental.reanalysis``: A unit analysed again after an edit
``drano.analysis.incremental.remembered``: What the analysis found in kernels that have not
    changed, for whoever analyses a file repeatedly
``drano.analysis.instruction_classes``: What an instruction is to a processor
``drano.analysis.kernels``: Every kernel of a module, by one of two domains
``drano.analysis.member_names``: What the source calls a part of an object
``drano.analysis.needed_values``: Values that neither an access, nor a branch, nor an effect
    depends on
``drano.analysis.paper``: The paper's domain at work (GPUDrano, CAV'17)
``drano.analysis.paper.calls``: Calls that remain after inlining, in the paper's domain
``drano.analysis.paper.divergence``: Where threads part and where they meet again
``drano.analysis.paper.interpreter``: The paper's abstract interpretation of one function, to a
    fixpoint (GPUDrano, CAV'17)
``drano.analysis.paper.invariance``: Which values of a loop are the same in each of its iterations
``drano.analysis.paper.judge``: The paper's criterion, site by site
``drano.analysis.paper.present``: The paper's verdicts in the user's words
``drano.analysis.paper.private_memory``: What a thread's own memory holds
``drano.analysis.paper.reasons``: Where a thread-dependent index comes from, in the user's words
``drano.analysis.paper.transfer``: One pure function per kind of computing instruction, in the
    paper's domain
``drano.analysis.paper.values``: Values of the paper's analysis in the setting of LLVM IR
``drano.analysis.points_to``: Which objects a generic pointer may point into, and so which memory
    space an access goes to
``drano.analysis.source_accesses``: Which accesses of the source the requests of compiled code
    come from, and which have none left
``drano.analysis.spaces``: Memory spaces in the words of the analyses, from the target's numbers
    and to those of reports
``drano.analysis.thread_layout``: How the threads of a block lie in its warps
``drano.analysis.unseen_accesses``: What may access memory, but is not followed
``drano.analysis.warp``: The warp domain's interpretation of a kernel
``drano.analysis.warp.interpreter``: Abstract execution of one kernel by one block's warps, to a
    fixpoint
``drano.analysis.warp.state``: What an interpretation holds while it runs
``drano.analysis.warp.state.arrays``: What a thread's own arrays hold
``drano.analysis.warp.state.arrays.addresses``: Which of a thread's own arrays an address points
    into, and where
``drano.analysis.warp.state.arrays.loads``: What a load from a thread's own array gives, by the
    records of stores that may overlap it
``drano.analysis.warp.state.arrays.records``: What is recorded of a store to an array
``drano.analysis.warp.state.arrays.stores``: Stores to a thread's own arrays
``drano.analysis.warp.state.by_lane``: Values put together lane by lane, from those of others
``drano.analysis.warp.state.constants``: Values of constants, and the addresses of module-level
    variables
``drano.analysis.warp.state.kernel_arguments``: Values of a function's arguments, by what launches
    give for them and how pointers are aligned
``drano.analysis.warp.state.lane_runs``: Loops whose every step is known lane by lane, executed
``drano.analysis.warp.state.last_writes``: Which store wrote last what a load reads
``drano.analysis.warp.state.lockstep``: Blocks executed for all lanes of a block's warps, each
    lane by its own way
``drano.analysis.warp.state.loop_exits``: A value of a loop where it is used after the loop, which
    lanes leave at different iterations
``drano.analysis.warp.state.loop_splits``: Where nvcc may split a loop in two
``drano.analysis.warp.state.loop_values``: How values move from one iteration of a loop to the
    next
``drano.analysis.warp.state.memo``: Results within one interpretation that are kept while their
    inputs stay the same
``drano.analysis.warp.state.not_ready``: The signal that an operand has no value yet
``drano.analysis.warp.state.own_writes``: What each thread wrote last to its own arrays, where
    stores have an order
``drano.analysis.warp.state.scalars``: Types taken apart into scalars
``drano.analysis.warp.state.staged``: What a block keeps in shared memory for its threads to read,
    where it is known who wrote it
``drano.analysis.warp.state.trip_counts``: What counters have when lanes leave a loop at different
    iterations
``drano.analysis.warp.state.warp_state``: What is known of one kernel while one block's warps
    execute it
``drano.analysis.warp.transfer``: Transfer functions
``drano.analysis.warp.transfer.alike_ways``: Ways by which the same value comes to a join, and
    whether a warp as a whole takes some of them
``drano.analysis.warp.transfer.borders``: Where lanes are held within bounds, or go on at the
    other side
``drano.analysis.warp.transfer.calls``: Calls that remain after inlining
``drano.analysis.warp.transfer.control``: Which lanes go where
``drano.analysis.warp.transfer.induction``: Loop counters
``drano.analysis.warp.transfer.joined``: Instructions in which an optimiser, or the source, has
    joined what is decided one by one
``drano.analysis.warp.transfer.known_lanes``: Functions of numbers that are known lane by lane
``drano.analysis.warp.transfer.memory``: What loads give
``drano.analysis.warp.transfer.phis``: Phi nodes
``drano.analysis.warp.transfer.registry``: Which function says what an instruction does
``drano.analysis.warp.transfer.scalars``: Transfer functions of the instructions that touch no
    memory
``drano.analysis.warp.transfer.tables``: Loads from constant tables of integers, whose numbers the
    module holds
``drano.analysis.warp.verdict``: What a finished interpretation says of accesses and branches
``drano.analysis.warp.verdict.advice_facts``: What is known of a bad access, for advice
``drano.analysis.warp.verdict.answers``: The three answers about an access, and the words for them
``drano.analysis.warp.verdict.bank_conflicts``: Bank conflicts of an access to shared memory, and
    the padding of rows that removes them
``drano.analysis.warp.verdict.block_uniform``: What all warps of a block agree on, not only the
    lanes of one
``drano.analysis.warp.verdict.branches_taken``: What the branches that lead to a block say of the
    choices in a value there
``drano.analysis.warp.verdict.by_nvcc``: What nvcc makes of code where LLVM's optimiser does not
``drano.analysis.warp.verdict.by_nvcc.joined_loads``: Loads of several branches that meet behind
    them, of which nvcc makes one load
``drano.analysis.warp.verdict.by_nvcc.joined_stores``: Stores to one address at the end of each of
    several branches that meet behind them
``drano.analysis.warp.verdict.by_nvcc.merged_wavefronts``: Bank conflicts of loads and stores of
    several branches of which nvcc makes one request
``drano.analysis.warp.verdict.by_nvcc.parted_calls``: Accesses behind calls through pointers,
    whose lanes may have gone to different functions, and in functions that stay functions, which
    some lanes of a warp may call
``drano.analysis.warp.verdict.by_nvcc.split_loops``: Accesses in loops that nvcc may split, whose
    lanes may then be at different iterations
``drano.analysis.warp.verdict.closed_branches``: Code that no thread reaches in blocks of any
    shape
``drano.analysis.warp.verdict.conditions``: What a verdict holds for
``drano.analysis.warp.verdict.cost_facts``: What a finished interpretation tells the cost model
``drano.analysis.warp.verdict.divergence``: Where threads of a block diverge
``drano.analysis.warp.verdict.judge``: From an address per lane to a judgement
``drano.analysis.warp.verdict.likely``: What is likely of addresses, and not sure
``drano.analysis.warp.verdict.likely.row_pitch``: Whether an unknown number between lanes is a
    row's length, or a stride that may well be 1
``drano.analysis.warp.verdict.likely.run_starts``: Where runs of neighbouring lanes start within a
    sector, where nothing else is open
``drano.analysis.warp.verdict.likely.tickets``: Indices that an atomic gives out
``drano.analysis.warp.verdict.likely.unit_strides``: Strides that are likely 1
``drano.analysis.warp.verdict.present``: From judgements to what users read
``drano.analysis.warp.verdict.reuse``: How often a block reads the elements of an array
``drano.analysis.warp.verdict.swizzle``: The permutation of columns that removes a bank conflict
``drano.analysis.warp.verdict.value_text``: The warp domain's values in the user's words
``drano.analysis.warp.verdict.wider_accesses``: Adjacent, aligned accesses of one thread that one
    wider access could replace
``drano.host``: Host code
``drano.host.arithmetic``: Integers, floats and dim3 of host code
``drano.host.called_functions``: Calls in host code
``drano.host.calls_across``: Calls of functions that other units define, and functions that others
    may call, while the launches of a unit are read
``drano.host.cross_unit``: What the units of a run tell each other
``drano.host.evaluator``: What evaluates a function's body
``drano.host.expressions``: Values of expressions in host code, where they are constant on the
    path that leads to them
``drano.host.function_bodies``: What must be known of a host function before it is run
``drano.host.interpreter``: Constants in host code
``drano.host.launching``: Launches in host code
``drano.host.launching.driver_handles``: Kernels that the driver looks up by name
``drano.host.launching.handed_kernels``: Kernels that are passed to host functions
``drano.host.launching.launch_reader``: Reads the launches of one translation unit from libclang's
    tree of its host side
``drano.host.launching.launch_reader.given``: What launches and calls are given
``drano.host.launching.launch_reader.reader``: The launches of a unit
``drano.host.launching.launch_reader.walk``: Functions that may launch, run with what their
    callers give them
``drano.host.launching.launch_syntax``: What a launch looks like in libclang's trees, and which
    kernel it names
``drano.host.launching.launch_text``: Launches as text, for other units
``drano.host.launching.launches``: Kernel launches in host code, with the grid, block and
    arguments that are constant
``drano.host.launching.launching_functions``: Which functions of a unit are read for launches
``drano.host.launching.shape_parameters``: Whether a host function is given the shape of a launch
``drano.host.launching.unit_launches``: The launches of one unit
``drano.host.loop_trips``: Loops of host code
``drano.host.mentions``: Kernels and host functions that host code names other than to launch or
    call them
``drano.host.pointers``: Where host code's pointers come from, and how far it moves them
``drano.host.pointers.aliases``: Variables of host code that are known by more than one name, and
    what may change them
``drano.host.pointers.array_views``: Objects of libraries that have an array of the GPU, or a part
    of one
``drano.host.pointers.function_writes``: What one function assigns, calls, and moves
``drano.host.pointers.kept_addresses``: Pointers of which more is known than their name
``drano.host.pointers.library_objects``: Pointers that are kept in objects of the library's types
``drano.host.pointers.moved_pointers``: How far pointers are moved that host code gives away
``drano.host.pointers.pointer_movement``: How far statements and functions of host code move
    pointers, and what they give variables
``drano.host.pointers.pointer_shifts``: Pointers that host code moves before it passes them to a
    kernel
``drano.host.pointers.pointer_sources``: Which parameters of host functions the pointers that
    kernels are launched with come from
``drano.host.pointers.pointer_syntax``: Expressions of pointers in host code
``drano.host.pointers.shifts_elsewhere``: How far the functions of a unit move pointers that
    outlive them, or that they hand on
``drano.host.pointers.unit_writes``: What is remembered of how the functions of a unit move
    pointers
``drano.host.pointers.unseen_code``: Functions that a call may reach and that the unit does not
    show
``drano.host.structures``: Structures in host code
``drano.host.unit_functions``: Functions and variables that the user's files of a unit declare,
    wherever they stand
``drano.host.unit_trees``: The text and the trees of a unit's functions, each read once, and what
    the whole unit tells of them
``drano.host.untrusted_code``: Which parts of host code with errors cannot be relied on
``drano.embedded``: CUDA source within Python source
``drano.embedded.calls``: Calls that give CUDA source to a library
``drano.embedded.constants``: Expressions of Python whose value is known from the text alone
``drano.embedded.elementwise``: Kernels that libraries make of an operation
``drano.embedded.find``: All CUDA source within one Python source
``drano.embedded.launches``: Launches of embedded kernels by the Python code around them
``drano.embedded.literals``: String literals of Python, with the place of each character of what
    they mean
``drano.embedded.markers``: Which Python sources are worth parsing, told by a few words in them
``drano.embedded.moved``: What was found in an embedded text, at the places of the Python source
    around it
``drano.embedded.numba_comments``: Comments that say with which types a Numba kernel is to be
    compiled, and how it is launched
``drano.embedded.scopes``: Names of a Python module that mean one thing, and which calls stand
    where
``drano.embedded.traced``: Text that remembers where each of its characters stands in a Python
    source
``drano.embedded.triton_comments``: Comments that say with which types a Triton kernel is to be
    compiled
``drano.embedded.units``: What is found of CUDA in a Python source
``drano.frontend``: From a source file to device IR
``drano.frontend.clang``: From a source file to device IR, by as many tries of clang as its
    messages ask for
``drano.frontend.clang_command``: The command that compiles a source as a plan says, with what is
    precompiled for it
``drano.frontend.clang_flags``: The flags that clang gets
``drano.frontend.clang_messages``: clang's messages as data
``drano.frontend.clang_run``: One run of clang
``drano.frontend.commands``: Compile commands of a project
``drano.frontend.commands.compile_database``: Compile options from a compilation database,
    ``compile_commands.json``
``drano.frontend.commands.find_database``: Finds the ``compile_commands.json`` that has a source's
    flags, in the usual places
``drano.frontend.commands.nvcc_options``: Understands nvcc's (and gcc's and clang's) command
    lines, as far as parsing the source needs
``drano.frontend.compiled``: Code that was compiled before
``drano.frontend.compiled.ir_input``: LLVM IR as a unit
``drano.frontend.compiled.ptx_input``: PTX as a unit
``drano.frontend.compiled.ptx_notes``: What comments in compiled code say of its kernels
``drano.frontend.compiled.triton_cache``: Kernels that Triton has compiled
``drano.frontend.compiled.triton_layouts``: How Triton lays out the blocks that a kernel loads and
    stores, from its ``.ttgir``
``drano.frontend.constant_tables``: Tables that are const, but not ``__constant__``, where nvcc
    has them
``drano.frontend.empty_kernels``: Kernels of which the architecture that was compiled for, or a
    macro, leaves nothing
``drano.frontend.failed_unit``: Units of which there is no IR
``drano.frontend.headers``: What a unit includes
``drano.frontend.headers.build_files``: The files of a repository that tell how its sources are
    compiled
``drano.frontend.headers.cmake``: What the CMake files of a project say, of which nothing is run
``drano.frontend.headers.cmake.conditions``: Which conditions of CMake's ``if`` hold, as far as
    the text tells
``drano.frontend.headers.cmake.language``: CMake's language, as far as it is understood
``drano.frontend.headers.cmake.values``: The values that a project's CMake files give their
    variables, as far as their text tells
``drano.frontend.headers.common_headers``: Headers of the SDK and of the C++ library that take
    longer to parse than what includes them
``drano.frontend.headers.configured_headers``: Headers that a project's build makes of a template
``drano.frontend.headers.export_headers``: Headers that CMake's ``generate_export_header`` makes
``drano.frontend.headers.function_qualifiers``: Macros by which libraries say what a function is
``drano.frontend.headers.include_pch``: A source's own leading ``#include`` block as a precompiled
    header, for files that are edited
``drano.frontend.headers.integer_names``: Names by which code calls integers of one size
``drano.frontend.headers.library_packages``: Header-only libraries that come as Python packages
``drano.frontend.headers.named_directories``: Which of several directories the project's build
    names, as ``-I../common`` in a Makefile does
``drano.frontend.headers.old_cccl``: What CCCL 3, of CUDA 13, has taken out of CUB and Thrust
``drano.frontend.headers.other_platforms``: Names by which projects tell what is for another
    platform than CUDA on Linux, or does without
``drano.frontend.headers.overlay``: Puts text in the place of files without touching them
``drano.frontend.headers.own_cccl``: A project's own CCCL
``drano.frontend.headers.prelude_pch``: A precompiled prelude
``drano.frontend.headers.project_headers``: Headers of the project itself that clang was not told
    the way to, looked for in its repository
``drano.frontend.headers.protobuf``: Headers that protobuf's compiler makes of a project's
    ``.proto`` files
``drano.frontend.headers.protobuf.cpp``: The C++ that protobuf's compiler makes of a schema,
    declarations alone
``drano.frontend.headers.protobuf.made``: The header of a ``.proto`` file of a repository, with
    those of all that it imports
``drano.frontend.headers.protobuf.schema``: What a ``.proto`` file declares
``drano.frontend.headers.stand_ins``: Stands in for missing headers of libraries that host code
    uses
``drano.frontend.headers.unread_lists``: Lists in a precompiled header that clang would go through
    for each unit, to say nothing
``drano.frontend.include_flags``: Include directories among clang's flags
``drano.frontend.libclang``: libclang, reduced to what reading host code needs
``drano.frontend.libclang.kinds``: Numbers by which libclang tells kinds of cursors and unary
    operators
``drano.frontend.libclang.parsing``: Loading libclang, and parsing files with it
``drano.frontend.libclang.questions``: Questions about one cursor
``drano.frontend.libclang.trees``: Trees
``drano.frontend.macros``: Macros that a project's build defines, by its files and programs, for
    units that lack them
``drano.frontend.macros.build_definitions``: The macros that a project's build files define
``drano.frontend.macros.build_macros``: Macros that a project's build defines, found by what is
    missing without them
``drano.frontend.macros.builds_without_cuda``: Headers that stand in for CUDA's in builds without
    it, and the macros that keep them out
``drano.frontend.macros.error_directives``: What ``#error`` says of the macros that a unit is
    compiled with
``drano.frontend.macros.makefiles``: What of a makefile holds as it is written
``drano.frontend.macros.python_flags``: The macros that a Python program defines when it compiles
    CUDA code itself, as with PyTorch's ``load(sources=…,
    extra_cuda_cflags=[f"-DWIDTH={WIDTH}"])``
``drano.frontend.macros.torch_builds``: Macros that PyTorch gives nvcc for every extension
``drano.frontend.missing_libraries``: Empty shared libraries, in place of those that the loader
    misses and nothing uses
``drano.frontend.nvcc``: The PTX that nvcc makes of a source
``drano.frontend.repair``: Sources that clang refuses
``drano.frontend.repair.asm_escapes``: Inline PTX as nvcc reads it
``drano.frontend.repair.broken_pch``: A precompiled header of a unit with errors, to be compiled
    all the same
``drano.frontend.repair.culprits``: Which declarations hold the errors of a unit, and how far they
    reach in the text
``drano.frontend.repair.dialect_fixups``: Repairs of what nvcc accepts and clang does not, by what
    clang has said
``drano.frontend.repair.functions``: Functions that nvcc takes and clang refuses
``drano.frontend.repair.functions.constant_functions``: Functions that are ``constexpr`` in name
    only, as nvcc and g++ take members of templates
``drano.frontend.repair.functions.host_functions``: Functions of the host alone that a ``__host__
    __device__`` or ``constexpr`` function calls
``drano.frontend.repair.functions.undeclared_functions``: Functions that are defined as a
    namespace's, ``lib::f(…) {…}``, and not declared there so
``drano.frontend.repair.instances``: Instances of templates with errors that others of the same
    template do not have
``drano.frontend.repair.launch_braces``: Launch shapes in braces
``drano.frontend.repair.lost_kernels``: Which kernels device code with errors costs, told from the
    IR of what did compile
``drano.frontend.repair.lost_templates``: Kernel templates whose instances host code with errors
    would have made
``drano.frontend.repair.next_try``: How a unit is compiled, try after try
``drano.frontend.repair.removed_text``: Takes what does not compile out of a source's text, at the
    same lines
``drano.frontend.repair.rescue``: Makes a unit with errors give the IR of what is sound in it
``drano.frontend.repair.shadowed_headers``: Directories of the repository that must be looked into
    before the system's, as ``-I`` has it
``drano.frontend.repair.shared_objects``: ``__shared__`` variables whose types have constructors
``drano.frontend.repair.skipped_kernels``: Whether a kernel may be in what clang skips after an
    error that is in no declaration
``drano.frontend.repair.text_edits``: Changes of a source's text at places that clang names
``drano.frontend.sdk``: CUDA SDKs
``drano.frontend.sdk.headers``: The CUDA headers clang needs
``drano.frontend.sdk.paths``: Which CUDA SDK a path of a compile command belongs to, told by
    files, running nothing
``drano.frontend.sdk.tools``: Programs of a CUDA SDK that may be run
``drano.frontend.sdk.used``: Which CUDA SDK the units of a run were compiled with, and who chose
    it, for ``-v``
``drano.frontend.template_instances``: Kernel templates that nobody instantiates, and instances
    that the user asks for
``drano.frontend.text``: What the text of a source says before a compiler reads it
``drano.frontend.text.block_sizes``: What ``__block_size__((x, y, z), (a, b, c))`` of CUDA 13
    says, for who reads clang's IR
``drano.frontend.text.cpp_lexer``: The one lexer of C++ and CUDA text
``drano.frontend.text.kernel_parameters``: The names of a kernel's parameters, read from the text
    of its source
``drano.frontend.text.source_without_kernels``: The part of a source that its launches can depend
    on
``drano.frontend.text.text_conditions``: Text that a preprocessor surely leaves out
``drano.frontend.text.text_scan``: What a unit includes and whether it launches, from its text and
    that of the project's headers
``drano.frontend.toolchain``: Which clang is used, and with which C and C++ headers
``drano.frontend.tree_records``: Subtrees of libclang's cursors as flat records, copied by a
    visitor in machine code
``drano.frontend.type_kinds``: Kinds of types as libclang numbers them (CXTypeKind, Index.h of
    LLVM 22)
``drano.frontend.unit_files``: The files that a unit was read from, and those that it lacked
``drano.ptx``: PTX, from its text or from the binaries that hold it, to device IR that is read
``drano.ptx.binaries``: The PTX and the machine code in binaries
``drano.ptx.constants``: Constant expressions
``drano.ptx.debug_lines``: ``.file`` and ``.loc`` as LLVM's debug metadata, so that findings name
    lines of the source
``drano.ptx.divisions``: Divisions by constants, which compilers write as multiplications by
    reciprocals, found again
``drano.ptx.fragments``: A piece of PTX among code of LLVM's, as ``asm`` has it
``drano.ptx.functions``: One PTX function as a function of LLVM's
``drano.ptx.instructions``: What PTX's instructions mean, in LLVM's
``drano.ptx.instructions.bits``: Logic, shifts, fields of bits, moves and selections
``drano.ptx.instructions.comparisons``: ``setp`` and ``set``
``drano.ptx.instructions.conversions``: ``cvt`` and ``cvta``
``drano.ptx.instructions.fallback``: Instructions that are not translated
``drano.ptx.instructions.floats``: Floating-point arithmetic
``drano.ptx.instructions.integers``: Integer arithmetic
``drano.ptx.instructions.lanes``: Exchanges between the lanes of a warp, and barriers
``drano.ptx.instructions.matrices``: Moves of matrices between memory and the registers of a warp
``drano.ptx.instructions.memory``: Loads, stores and atomics
``drano.ptx.instructions.registry``: The table of instructions that are translated, filled where
    each is defined
``drano.ptx.instructions.table``: The table of all instructions that are translated, by their
    opcodes
``drano.ptx.lexer``: The tokens of PTX
``drano.ptx.model``: A PTX module as it is written
``drano.ptx.module_text``: A PTX module as device IR in LLVM's text, which the rest of drano reads
    as any other
``drano.ptx.opcodes``: Instructions of PTX that only compute
``drano.ptx.operands``: Which registers an instruction reads and writes
``drano.ptx.parser``: From PTX text to ``model.Module``
``drano.ptx.pointers``: Which registers hold addresses, and into which state space
``drano.ptx.signatures``: What PTX functions take and give, and what memory their variables need,
    in LLVM's types
``drano.ptx.statements``: The body of a PTX function
``drano.ptx.types``: PTX's types
``drano.ptx.unset_registers``: Registers that may be read before they are set
``drano.ptx.writer``: The IR of one function while it is written
``drano.ir``: Device code
``drano.ir.block_guards``: What a kernel itself tells about the shape of its blocks
``drano.ir.cfg``: Graph algorithms over control flow
``drano.ir.computing_asm``: Inline PTX that only computes
``drano.ir.debug_nodes``: Functions and files of the debug information, from a module's text as
    the compiler printed it
``drano.ir.intrinsics``: What is known of the functions that device code calls without defining
    them
``drano.ir.llvm_text``: The words of LLVM's textual IR
``drano.ir.loops``: Loops of a control-flow graph
``drano.ir.model``: The frozen picture of a device module that every analysis reads
``drano.ir.model.control_instructions``: Instructions by which blocks end, and what is there
    because of other blocks and functions
``drano.ir.model.instruction_base``: What every instruction has
``drano.ir.model.instructions``: The closed union of all instructions
``drano.ir.model.memory_instructions``: Instructions that access memory, or make some
``drano.ir.model.modules``: Functions with their blocks, variables, and the module that they are
    in
``drano.ir.model.operands``: What instructions are given
``drano.ir.model.types``: Types of values
``drano.ir.model.value_instructions``: Instructions that compute a value of others
``drano.ir.optimised_ptx``: From a unit's device IR to optimised PTX
``drano.ir.prepare``: From a compiler's device IR to the IR that is read
``drano.ir.prepare.compiled``: The requests that the hardware executes
``drano.ir.prepare.executable``: What only NVPTX's back end knows, written as others know it
``drano.ir.prepare.inline_assembly``: Inline PTX of device IR
``drano.ir.prepare.inline_assembly.asm_calls``: Calls of inline PTX (``asm``) in a module, as LLVM
    prints them, and their operands
``drano.ir.prepare.inline_assembly.asm_pieces``: One ``asm`` as a piece of PTX
``drano.ir.prepare.inline_assembly.inline_ptx``: Inline PTX as LLVM's instructions, before all
    passes, by the table that PTX is translated with
``drano.ir.prepare.inline_assembly.inline_ptx_ends``: Inline PTX that ends threads
``drano.ir.prepare.inlining``: Which device functions to expand into their callers, decided on the
    text of a module
``drano.ir.prepare.library_calls``: Functions of the mathematics library as calls, their bodies
    left out
``drano.ir.prepare.library_results``: Results that the mathematics library puts where a pointer
    says (``sincosf``, ``frexp``)
``drano.ir.prepare.linking``: Device code of several units, put together before it is optimised
``drano.ir.prepare.linking.separate_calls``: Calls of functions that another unit defines
``drano.ir.prepare.linking.unit_linking``: Device code of several units in one module, for the
    kernels of one of them
``drano.ir.prepare.linking.unit_symbols``: Device functions and variables that a unit uses and
    lacks, and those that others may have of it
``drano.ir.prepare.loaded_module``: LLVM's modules as llvmlite has them, each freed with the
    context that it is in
``drano.ir.prepare.own_kernels``: Kernels that hold nothing but code of files that nobody asks
    about
``drano.ir.prepare.passes``: From a compiler's device IR to the IR that the analyses read
``drano.ir.prepare.quarantine``: Prepares IR that strangers wrote in a process of its own
``drano.ir.prepare.quarantined``: What runs in quarantine (``quarantine.py``)
``drano.ir.prepare.scoped_atomics``: Scoped atomics (``atomicAdd_system`` and ``_block``) as plain
    ones, which the back end knows
``drano.ir.prepare.source_marks``: Marks on accesses before they are optimised, which tell
    afterwards what became of each
``drano.ir.prepare.tile_accesses``: Fragments of matrices as the requests that load and store them
``drano.ir.prepare.tile_products``: Products of tiles by a warp, written as shuffles and sums
``drano.ir.prepare.widths``: How wide a request is where the source's type does not tell
``drano.ir.prepare.widths.shared_pointers``: Accesses of shared memory that say so before they are
    optimised
``drano.ir.prepare.widths.type_alignment``: Struct copies as loads and stores of their members,
    and accesses aligned as their types demand
``drano.ir.prepare.widths.used_words``: Loads of which some 32-bit words are used, as narrow as
    the machine's instructions are
``drano.ir.prepare.widths.whole_copies``: Copies of structures as wide loads, if several members
    are read, and wide stores
``drano.ir.read``: From prepared IR, as LLVM prints it, to the model
``drano.ir.read.debug_info``: Debug metadata to source places and names
``drano.ir.read.decode_control``: Decoders of terminators, and where control goes after them
``drano.ir.read.decode_memory``: Decoders of what touches memory
``drano.ir.read.decode_values``: Decoders of computations
``drano.ir.read.decoding``: What the decoders of all opcodes share
``drano.ir.read.global_variables``: Module-level variables from their printed definitions
``drano.ir.read.instructions``: One printed instruction to one frozen ``model`` instruction
``drano.ir.read.operands``: Operands from text
``drano.ir.read.reader``: From a prepared module to the frozen ``model``
``drano.ir.read.source_marks``: The marks of ``prepare/source_marks.py``, read back from an
    optimised module
``drano.ir.read.templates``: Printed instructions of one shape, decoded once
``drano.ir.target``: The machine that device code is for, nvptx64
``drano.ir.type_layout``: Sizes and alignments of types in memory, as LLVM lays them out for
    nvptx64
``drano.ir.uses``: Which operands an instruction reads, in the order of its fields
``drano.ir.written_access``: Accesses of memory as they were before an optimiser saw them
``drano.traffic``: What one warp's request moves, from the address of every lane
``drano.traffic.banks``: Wavefronts of one warp's request to shared memory, from the address of
    every lane
``drano.traffic.bit_choices``: Bits of a uniform number that decide how the lanes of a warp lie
``drano.traffic.choice_worth``: What a choice adds to an address where it is 1, and whether that
    is a multiple of its bound
``drano.traffic.continuous_choices``: How far apart lanes can be whose addresses ``min``, ``max``
    and ``abs`` choose
``drano.traffic.lane_counters``: Lanes that each have a counter of their own
``drano.traffic.lane_groups``: Where the lanes of a warp are, for counting what their requests
    touch
``drano.traffic.needs``: What must hold of sizes and conditions that nobody knows, for the typical
    counts to be right
``drano.traffic.phase_cases``: The phases of an access, each a plain pattern
``drano.traffic.segments``: Sectors of a warp that is cut into segments at places which are not
    known
``drano.traffic.tallies``: What one access costs
``drano.traffic.threshold_choices``: Choices that a comparison with a number decides
``drano.traffic.transactions``: Lines and sectors that one warp request touches, from the address
    of every lane
``drano.traffic.typical_way``: An address as it mostly is
``drano.traffic.uniform_choices``: A choice that a warp makes as a whole, between ways in which
    its lanes lie
``drano.traffic.warp_counts``: Units that one warp's request touches, from where its lanes are
``drano.traffic.windows``: Sectors or lines of every window of a warp's lanes, taken in some order
``drano.lattice``: Abstract values
``drano.lattice.base``: What a lattice is here, and two ways to build one from parts
``drano.lattice.congruence``: What is known of an integer modulo a number
``drano.lattice.memory_space``: Memory space that a pointer points into
``drano.lattice.paper``: Values of the paper's domain (GPUDrano, CAV'17)
``drano.lattice.paper.multiplier``: The paper's integers
``drano.lattice.paper.predicate``: The paper's booleans, and its active set (GPUDrano, CAV'17)
``drano.lattice.paper.values``: Values of the paper's analysis
``drano.lattice.warp``: Values of the warp domain
``drano.lattice.warp.atom_table``: The atoms of one block layout
``drano.lattice.warp.divisions``: What is remembered of divisions that were met
``drano.lattice.warp.domain``: The warp domain
``drano.lattice.warp.forms``: The values of the warp domain (see ``domain.py``)
``drano.lattice.warp.joins``: Values of several ways where the ways meet
``drano.lattice.warp.lanes``: Integers per lane
``drano.lattice.warp.masks``: Active masks
``drano.lattice.warp.operations``: Operations of the warp domain that need the *integer* behind
    the bits
``drano.lattice.warp.operations.between_bounds``: Conditions that one lane of a warp meets at the
    most
``drano.lattice.warp.operations.bits``: Shifts and masks
``drano.lattice.warp.operations.division``: Quotients and remainders
``drano.lattice.warp.operations.implied``: Choices that a bound decides
``drano.lattice.warp.operations.lane_bounds``: The least and the most that each lane may hold
``drano.lattice.warp.operations.level_sets``: Lanes that are on where they share an unknown number
``drano.lattice.warp.operations.phases``: Quotients by a small number of an index whose start
    nobody knows
``drano.lattice.warp.operations.predicates``: Comparisons and truth values, decided per lane where
    ranges and residues allow
``drano.lattice.warp.operations.selection``: One of several values
``drano.lattice.warp.operations.steps``: Functions of an index that many lanes share
``drano.lattice.warp.operations.uniform_bits``: ``and``, ``or`` and ``xor`` of an index and a
    number that is the same in all lanes, bit by bit
``drano.lattice.warp.operations.unknowns``: Results of which only the uniformity is known, and
    questions about the atoms of values
``drano.lattice.warp.operations.ways``: The ways in which lanes lie by conditions that a warp has
    in common
``drano.lattice.warp.operations.widths``: Changes of width
``drano.lattice.warp.substitution``: A form in which an atom has one value
``drano.model``: What all parts speak of
``drano.model.access``: Accesses
``drano.model.file_patterns``: Patterns of files as ``.gitignore`` has them, for ``exclude`` and
    ``per-file-ignores``
``drano.model.finding``: What rules complain of, and the facts about control flow that some of
    them ask for
``drano.model.gpus``: What a multiprocessor of each GPU offers
``drano.model.hardware``: Numbers of the hardware that all GPUs share, and the ratios by which
    requests are judged
``drano.model.judgement``: The answer about one access
``drano.model.linear_patterns``: Expressions of gitignore patterns that do not go back over
    wildcards
``drano.model.nvptx``: LLVM's target for NVIDIA's GPUs
``drano.model.report``: Reports
``drano.model.settings``: The settings of a run
``drano.model.source_access``: What compiling makes of the accesses of the source
``drano.model.source_files``: Which files are source text of what was analysed, and so may be
    shown
``drano.model.span``: Where things are in the source
``drano.model.symbols``: Names of functions in compiled code, whoever has compiled it
``drano.model.system_headers``: Whose code a place is in
``drano.model.tally``: How many accesses there are, by verdict, where the accesses themselves need
    not be kept
``drano.model.translation_unit``: What the front end hands on
``drano.support``: Tools that know nothing of CUDA
``drano.support.cache_directory``: The user's cache directory, and how files and directories get
    into it atomically
``drano.support.child_process``: A process of our own code beside this one, by a fork where that
    is safe
``drano.support.end_with_parent``: A process that works for another one ends when that one is
    gone, whatever it is busy with
``drano.support.endless_files``: Files without an end (``/dev/zero``, a disk) that a compiler was
    told to read
``drano.support.errors``: What cannot be used
``drano.support.fast_json``: JSON with indentation, as ``json.dumps(value, indent=2)`` writes it,
    in a quarter of the time
``drano.support.fork_pool``: Work of one process on several processors
``drano.support.input_files``: Reads an input file, and says in one line why it cannot be used
``drano.support.installed_packages``: Where Python packages are installed, by the names of their
    ``.dist-info`` directories
``drano.support.limited_process``: Runs one tool under limits
``drano.support.messages``: Values between two processes that trust each other, on a pipe
``drano.support.own_failures``: What the user is told when drano itself fails
``drano.support.regular_files``: The one way to read a file that somebody else may have made
``drano.support.version``: Which drano this is
``drano.support.worker_protocol``: Processes that answer one request after the other
``drano.confirm``: Findings beside the machine code that another compiler makes of the same source
``drano.confirm.compiled``: The requests in a file that somebody has compiled, PTX or a binary
    with PTX or machine code, and in what nvcc makes of a source
``drano.confirm.gather``: Which compiled code there is of each file of a report, and its findings
    beside it
``drano.confirm.judge``: Which findings the machine code confirms, and which it refutes
``drano.confirm.ptx_requests``: The requests of PTX, by function and line, read word by word
``drano.confirm.requests``: Which requests of global memory compiled functions make, by line of
    the source
``drano.confirm.sass_requests``: The requests of machine code, by function and line, as ``nvdisasm
    -c -gi`` prints it
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from drano.support.version import VERSION

if TYPE_CHECKING:
    from drano.python.assertions import assert_coalesced as assert_coalesced
    from drano.python.numba_kernels import check_numba as check_numba
    from drano.python.triton_kernels import check_triton as check_triton
    from drano.run.driver import check as check

__version__ = VERSION
__all__ = ["__version__", "assert_coalesced", "check", "check_numba", "check_triton"]

_HOMES = {
    "check": "drano.run.driver",
    "check_numba": "drano.python.numba_kernels",
    "check_triton": "drano.python.triton_kernels",
    "assert_coalesced": "drano.python.assertions",
}


def __getattr__(name: str) -> Any:
    """``check`` and others, when first asked for: the lattices and the model do not load LLVM."""
    if name in _HOMES:
        return getattr(importlib.import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'drano' has no attribute {name!r}")
