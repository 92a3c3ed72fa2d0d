"""drano finds uncoalesced memory accesses in CUDA kernels, without a GPU and without a CUDA SDK.

Public API: ``check(paths, config) -> Report``. All modules, by layer, top to bottom:

``drano.cli``: The command line
``drano.__main__``: ``python -m drano``
``drano.arguments``: The command line's grammar
``drano.watch``: ``--watch``
``drano.progress``: A progress bar on stderr while many units are analysed, on a terminal only
``drano.changes``: What git says has changed since a commit, and the commit's findings
``drano.parallel``: Units in processes of their own
``drano.lsp``: The language server
``drano.lsp.actions``: Code actions
``drano.lsp.convert``: From findings to the protocol's diagnostics
``drano.lsp.documents``: Open files, as the editor has them
``drano.lsp.fixes``: Edits that may mend a finding
``drano.lsp.hover``: What is shown for an access under the cursor, and for a rule named in a
    suppression
``drano.lsp.includers``: Which sources of the workspace include a header, told by their text
``drano.lsp.language_server``: The server as the session's client
``drano.lsp.lenses``: Numbers beside the code
``drano.lsp.neighbours``: Launches that the files of the workspace show of each other's kernels
``drano.lsp.pool``: The pool of worker processes
``drano.lsp.positions``: Places in a text
``drano.lsp.protocol``: pygls's protocol, without its own copy of the documents
``drano.lsp.rulepage``: Rule pages as files that an editor can open
``drano.lsp.server``: The language server's handlers
``drano.lsp.session``: What is open in the editor, what is analysed when, and what is then said
    about which file
``drano.lsp.settings``: The settings of a file's analysis in an editor
``drano.lsp.start``: Starting the language server
``drano.lsp.trouble``: What the user is told when drano itself fails
``drano.lsp.units``: What is known of each unit
``drano.lsp.worker``: A process that analyses one unit after the other for the language server
``drano.lsp.workspace``: The command that analyses all sources of the workspace, with progress and
    a way to stop it
``drano.driver``: From paths to a report
``drano.baseline``: Findings that are known already
``drano.pipeline``: One translation unit, from its path to its report, readable top to bottom
``drano.results``: The cache of results
``drano.suppress``: Findings that the source's own comments silence, and comments that silence
    nothing
``drano.comments``: Comments that speak to drano
``drano.config_file``: Configuration files
``drano.config_text``: Settings as text
``drano.config_keys``: The keys of a configuration file
``drano.output``: Reports in every format
``drano.output.checkout``: The directory that reported paths are relative to, and which version of
    which repository it is
``drano.output.context``: Where an access is
``drano.output.costs``: What findings cost, in words, and the order that follows from it
``drano.output.explain``: What the analysis knows about single accesses
``drano.output.formats``: The one table of output formats
``drano.output.github``: Workflow commands of GitHub Actions
``drano.output.gitlab``: GitLab's code quality report
``drano.output.html``: The HTML report
``drano.output.json``: The JSON report
``drano.output.junit``: JUnit XML, which every CI server shows
``drano.output.line_hash``: The fingerprint that GitHub's code scanning gives a result
``drano.output.picture``: The picture of one access
``drano.output.pretty``: JSON with indentation, as ``json.dumps(value, indent=2)`` writes it, in a
    quarter of the time
``drano.output.problems``: What is said about inputs rather than accesses
``drano.output.regions``: Regions of source as machine formats want them
``drano.output.roofline``: Kernels under a GPU's roofs
``drano.output.sarif``: SARIF 2.1.0, for GitHub's code scanning and every other viewer of that
    format
``drano.output.source``: Source lines for reports
``drano.output.statistics``: ``--statistics``
``drano.output.text``: Reports for people
``drano.output.timings``: Where the time went (``--timings``)
``drano.output.wording``: A finding in whole sentences, for reports that have no layout
``drano.output.write``: Writing a report to a file
``drano.dynamic``: dynamic
``drano.dynamic.agreement``: How well estimated costs order the lines of a program that was run
``drano.dynamic.assembly``: Accesses of memory in inline PTX that ``ir/inline_ptx.py`` does not
    turn into plain ones
``drano.dynamic.build``: ``drano cc``
``drano.dynamic.closed``: CUDA's closed libraries (cuBLAS, cuFFT …) in programs for the CPU
``drano.dynamic.command``: A compiler's command line as ``drano cc`` must obey it
``drano.dynamic.commands``: What ``drano report``, ``drano diff`` and ``drano profile`` print,
    from their options
``drano.dynamic.compare``: Static facts against measured counts
``drano.dynamic.dependencies``: The make rule that ``-MD`` and its like ask for
``drano.dynamic.diff``: ``drano diff BASE NEW``
``drano.dynamic.executed``: What kernels executed
``drano.dynamic.gpu``: The GPU back end
``drano.dynamic.gpu.calls``: From counting calls that stand before accesses to those of the GPU's
    counting library
``drano.dynamic.gpu.costs``: What is proved of an access, as the counting library takes it
``drano.dynamic.gpu.device``: A unit's device code for a GPU
``drano.dynamic.gpu.embedded``: Device code of a unit that is linked later, kept in the host
    object
``drano.dynamic.gpu.fatbin``: The container in which a host object holds device code
``drano.dynamic.gpu.gather``: Device code that a link has to take
``drano.dynamic.gpu.library``: The GPU's run-time library, and CUDA's own beside it
``drano.dynamic.gpu.linking``: Separate compilation for a GPU
``drano.dynamic.gpu.loops``: Loops of a kernel, as far as they decide how accesses in them are
    counted
``drano.dynamic.gpu.managed``: Variables in managed memory
``drano.dynamic.gpu.plain``: Kernels as they are without counting, beside those that count
``drano.dynamic.gpu.questions``: Numbers that only the GPU itself can tell
``drano.dynamic.gpu.registration``: What tells CUDA's library of linked device code
``drano.dynamic.gpu.repeatable``: Kernels whose counts are the same whenever they are launched
    with the same numbers
``drano.dynamic.gpu.replay``: Code for the host that counts what a kernel accesses while the GPU
    runs the kernel uncounted
``drano.dynamic.gpu.roots``: Where the address of each access comes from
``drano.dynamic.gpu.sampling``: Counting a part of the blocks only
``drano.dynamic.gpu.segment_code``: The functions that count segments, as IR
``drano.dynamic.gpu.segments``: Stretches of code whose accesses are counted together
``drano.dynamic.gpu.separate``: Units of device code, compiled one by one, as one module
``drano.dynamic.gpu.slices``: What of a kernel makes its addresses and branches
``drano.dynamic.gpu.trip_code``: The functions that count all accesses of a loop before it begins,
    as IR
``drano.dynamic.gpu.trips``: Loops whose accesses are known when they are entered
``drano.dynamic.gpu.visits``: Counting how often blocks of code are executed on a GPU
``drano.dynamic.gpu.writes``: Which arrays a kernel may write to, as far as its parameters tell
``drano.dynamic.gpu.written``: Accesses that stay what the source has them be, so that hardware
    can be asked about each
``drano.dynamic.identity``: What a unit is called
``drano.dynamic.instrument``: Insert a counting call in front of every access
``drano.dynamic.joined``: Which measured site an access of the analysis is
``drano.dynamic.library``: The run-time library as one relocatable object, built once by the clang
    at hand and cached
``drano.dynamic.measured``: What a profile measured in the place of what the analysis estimates
``drano.dynamic.names``: Names for people, from those in profiles
``drano.dynamic.ncu``: What Nsight Compute has measured, as a profile
``drano.dynamic.nesting``: The loops that stand around code, for profiles
``drano.dynamic.openmp``: OpenMP of host code
``drano.dynamic.printed``: A function's instructions as LLVM prints them, numbered as the model
    numbers them
``drano.dynamic.profile``: Profiles
``drano.dynamic.proved``: What need not be measured
``drano.dynamic.ranking``: A profile by source line, worst first
``drano.dynamic.report``: ``drano report``
``drano.dynamic.report_html``: A profile as one HTML file
``drano.dynamic.report_sarif``: A profile as SARIF 2.1.0
``drano.dynamic.run``: ``drano run``
``drano.dynamic.sdk``: A directory that looks like a CUDA SDK, for build systems that want one
``drano.dynamic.simt``: Kernels as native code of this machine
``drano.dynamic.simt.abi``: Offsets and types of ``runtime/drano_abi.h``, as the generated code
    uses them
``drano.dynamic.simt.context``: What the functions of a unit share
``drano.dynamic.simt.definition``: How a helper function is written
``drano.dynamic.simt.driver``: The scheduler of a kernel
``drano.dynamic.simt.driver_memory``: What a step function does for all lanes at once
``drano.dynamic.simt.driver_waiting``: How lanes wait
``drano.dynamic.simt.errors``: What the CPU back end cannot lower
``drano.dynamic.simt.full``: Nodes as a full warp runs them
``drano.dynamic.simt.full_memory``: Accesses of a full warp
``drano.dynamic.simt.groups``: Cooperative groups
``drano.dynamic.simt.helpers``: The functions that stand for GPU intrinsics in native code, as
    LLVM IR text
``drano.dynamic.simt.helpers_cross``: Cross-lane intrinsics
``drano.dynamic.simt.helpers_math``: Arithmetic intrinsics of the GPU in terms of LLVM's own, as
    IR text
``drano.dynamic.simt.helpers_memory``: Accesses of memory for all active lanes at once, as IR text
``drano.dynamic.simt.helpers_nested``: What kernels call of CUDA's device run-time library
``drano.dynamic.simt.helpers_rounding``: Arithmetic with directed rounding (``.rz``, ``.rm``,
    ``.rp``), as IR text
``drano.dynamic.simt.instructions``: One instruction that only computes, for one lane
``drano.dynamic.simt.lanes``: One step of a node as a native function
``drano.dynamic.simt.library``: Functions that are called as they are
``drano.dynamic.simt.native``: From IR text for this machine to an object file, by LLVM's own
    optimiser and code generator
``drano.dynamic.simt.plan``: How a function is cut
``drano.dynamic.simt.ptx``: Inline PTX, as headers and programs use it, as LLVM IR
``drano.dynamic.simt.ptx_base``: Registers and operands of inline PTX
``drano.dynamic.simt.ptx_floats``: Floating-point arithmetic, conversions and comparisons of
    inline PTX
``drano.dynamic.simt.ptx_images``: Textures and surfaces in inline PTX, by the run-time library
``drano.dynamic.simt.ptx_integers``: Integer arithmetic of inline PTX, with the carry flag, bit
    fields and logic tables
``drano.dynamic.simt.recipes``: How each instruction is lowered
``drano.dynamic.simt.scheduler``: The vocabulary of step functions
``drano.dynamic.simt.scoped_atomics``: Atomics of a scope (``atomicAdd_system`` and ``_block``) as
    plain ones, which all parts know
``drano.dynamic.simt.source``: A device function as the lowering sees it
``drano.dynamic.simt.tables``: The unit's table, as the run-time library reads it
``drano.dynamic.simt.texts``: From an instruction printed for the GPU to the same instruction for
    the CPU, as text
``drano.dynamic.simt.unit``: A translation unit's device code, from IR to an object file
``drano.dynamic.simt.variables``: Module-level variables of the device in native code
``drano.dynamic.simt.vectors``: Values of a full warp as SSA values
``drano.dynamic.simt.visits``: Counting how often blocks of code are executed
``drano.dynamic.simt.writer``: Operands of the printed function, rewritten for the native function
    that is being written
``drano.dynamic.sites``: The accesses that a run measures
``drano.dynamic.stalls``: Where sampled warps were, and what they waited for
``drano.dynamic.tree``: A profile from the top down (kernel, calls, loops, line) and from the
    bottom up (function)
``drano.dynamic.tree_report``: The tree of a profile as text, JSON and HTML
``drano.dynamic.validate``: What ``drano validate`` prints
``drano.dynamic.work``: What a block of code executes, by source line
``drano.analysis``: What the memory accesses of a module cost, by one of two domains
``drano.analysis.access``: From judgements of sites to accesses in the user's terms
``drano.analysis.advice``: What to do about a bad access, in the names of the very code
``drano.analysis.block_size``: Block-size independence
``drano.analysis.callers``: How device functions that stay functions are come to
``drano.analysis.cost``: What an access costs in one launch
``drano.analysis.cost.amounts``: Amounts
``drano.analysis.cost.branches``: How likely a block is to be executed, from the branches above it
``drano.analysis.cost.defaults``: What is taken of numbers that the source does not give
``drano.analysis.cost.excess``: Excess sectors of one request
``drano.analysis.cost.grids``: How many warps execute a kernel, over all launches that the source
    shows
``drano.analysis.cost.hoisting``: Which loops an access is moved out of by every optimising
    compiler
``drano.analysis.cost.launching``: How often the host launches a kernel
``drano.analysis.cost.model``: The cost of an access
``drano.analysis.cost.operands``: Operands as amounts
``drano.analysis.cost.trips``: How often loops run
``drano.analysis.cost.work``: Floating-point operations and bytes of a kernel, for its place under
    a GPU's roofs
``drano.analysis.definitions``: Where the values of a function come from, and what the source
    calls them
``drano.analysis.explain``: How the index of an access comes about, step by step
``drano.analysis.expressions``: The expression of an access as its author wrote it, found in the
    source text
``drano.analysis.fixpoint``: The generic solver
``drano.analysis.judgement``: A domain's answer about one access site, before it is put into the
    user's terms
``drano.analysis.kernels``: Every kernel of a module, by one of two domains
``drano.analysis.launch_sums``: Sums of products over what a launch gives
``drano.analysis.layout``: How the threads of a block lie in its warps
``drano.analysis.memspaces``: Which objects a generic pointer may point into, and so which memory
    space an access goes to
``drano.analysis.operations``: What an instruction is to a processor
``drano.analysis.paper``: The paper's domain at work (GPUDrano, CAV'17)
``drano.analysis.paper.calls``: Calls that remain after inlining, in the paper's domain
``drano.analysis.paper.divergence``: Where threads part and where they meet again
``drano.analysis.paper.interpreter``: The paper's abstract interpretation of one function, to a
    fixpoint (GPUDrano, CAV'17)
``drano.analysis.paper.invariance``: Which values of a loop are the same in each of its iterations
``drano.analysis.paper.judge``: The paper's criterion, site by site
``drano.analysis.paper.present``: The paper's verdicts in the user's words
``drano.analysis.paper.private``: What a thread's own memory holds
``drano.analysis.paper.reasons``: Where a thread-dependent index comes from, in the user's words
``drano.analysis.paper.transfer``: One pure function per kind of computing instruction, in the
    paper's domain
``drano.analysis.paper.values``: Values of the paper's analysis in the setting of LLVM IR
``drano.analysis.plausible``: Blocks that are as plausible as the assumed shape, to tell what
    rests on the assumption alone
``drano.analysis.reanalysis``: A unit analysed again after an edit
``drano.analysis.remembered``: What the analysis found in kernels that are still the same, for
    whoever analyses a file again and again
``drano.analysis.rules``: Rules
``drano.analysis.rules.bank_conflict``: DRN101 bank-conflict
``drano.analysis.rules.barrier_in_divergent_code``: DRN202 barrier-in-divergent-code
``drano.analysis.rules.base``: What a rule is, and the words that all rules share
``drano.analysis.rules.column_major``: DRN004 column-major-access
``drano.analysis.rules.data_dependent``: DRN003 data-dependent-access
``drano.analysis.rules.divergent_branch``: DRN201 divergent-branch
``drano.analysis.rules.generic``: DRN301 generic-access
``drano.analysis.rules.low_occupancy``: DRN501 low-occupancy
``drano.analysis.rules.pages``: The rules' user pages
``drano.analysis.rules.reused_array``: DRN402 reused-global-array
``drano.analysis.rules.unaligned``: DRN002 unaligned-access
``drano.analysis.rules.uncoalesced``: DRN001 uncoalesced-access
``drano.analysis.rules.unused_suppression``: DRN901 unused-suppression
``drano.analysis.rules.vectorisable``: DRN401 vectorisable-access
``drano.analysis.shapes``: Block shapes to analyse a kernel for
``drano.analysis.sites``: Access sites
``drano.analysis.structure``: What the control flow of one function says, whatever the values
``drano.analysis.warp``: The warp domain's interpretation of a kernel
``drano.analysis.warp.arrays``: What a thread's own arrays hold
``drano.analysis.warp.block_shared``: What all warps of a block agree on, not only the lanes of
    one
``drano.analysis.warp.calls``: Calls that remain after inlining
``drano.analysis.warp.control``: Where threads of a block part
``drano.analysis.warp.counting``: What a finished interpretation says to the cost model
``drano.analysis.warp.facts``: What is known of a bad access, for advice
``drano.analysis.warp.flow``: Which lanes go where
``drano.analysis.warp.induction``: Loop counters
``drano.analysis.warp.interpreter``: Abstract execution of one kernel by one block's warps, to a
    fixpoint
``drano.analysis.warp.judge``: From an address per lane to a verdict
``drano.analysis.warp.masks``: Active masks
``drano.analysis.warp.memory``: What loads give
``drano.analysis.warp.phis``: Phi nodes
``drano.analysis.warp.pitch``: Whether an unknown number between lanes is a row's length, or a
    stride that may well be 1
``drano.analysis.warp.present``: From judgements to what users read
``drano.analysis.warp.ready``: The signal that an operand has no value yet
``drano.analysis.warp.recall``: Results that need not be computed again within one interpretation,
    as what they are made of is the same
``drano.analysis.warp.reuse``: How often a block reads the elements of an array
``drano.analysis.warp.scalars``: Transfer functions of the instructions that touch no memory
``drano.analysis.warp.shared``: Bank conflicts of an access to shared memory, and the padding of
    rows that removes them
``drano.analysis.warp.swizzle``: The permutation of columns that removes a bank conflict
``drano.analysis.warp.vectors``: Accesses of one thread that lie side by side and aligned, so that
    one wider access would do
``drano.analysis.warp.words``: The warp domain's values in the user's words
``drano.ir``: Device code
``drano.ir.asm_escapes``: Inline PTX as nvcc reads it
``drano.ir.blots``: Takes what does not compile out of a source's text, at the same lines
``drano.ir.broken_pch``: A precompiled header of a unit with errors, to be compiled all the same
``drano.ir.cache``: The user's cache directory, and how files and directories get into it
    atomically
``drano.ir.cfg``: Graph algorithms over control flow
``drano.ir.clang``: From a source file to device IR
``drano.ir.compdb``: Compile options from a compilation database, ``compile_commands.json``
``drano.ir.culprits``: Which declarations hold the errors of a unit, and how far they reach in the
    text
``drano.ir.cut_ptx``: Inline PTX of several instructions, cut where lanes look at each other
``drano.ir.debuginfo``: Debug metadata to source places and names
``drano.ir.decode_control``: Decoders of terminators, and where control goes after them
``drano.ir.decode_memory``: Decoders of what touches memory
``drano.ir.decode_values``: Decoders of computations
``drano.ir.decoding``: What the decoders of all opcodes share
``drano.ir.diagnostics``: clang's messages as data
``drano.ir.distrust``: What of host code with errors is not to be believed
``drano.ir.doctor``: What of the toolchain was found
``drano.ir.edits``: Changes of a source's text at places that clang names, and the search around
    such places
``drano.ir.empty_kernels``: Kernels of which the architecture that was compiled for leaves nothing
``drano.ir.errors``: The one exception of the front end
``drano.ir.finddb``: Finds the ``compile_commands.json`` that has a source's flags, in the usual
    places
``drano.ir.fingerprint``: What the functions of a module say, apart from where they stand, to tell
    those that an edit left as they were before they are expanded into their callers
``drano.ir.fixups``: Repairs of what nvcc accepts and clang does not, by what clang has said
``drano.ir.flags``: The flags that clang gets
``drano.ir.globals``: Module-level variables from their printed definitions
``drano.ir.guards``: What a kernel itself tells about the shape of its blocks
``drano.ir.handed``: Kernels that are handed to host functions
``drano.ir.headers``: The CUDA headers clang needs
``drano.ir.hostarith``: Integers, floats and dim3 of host code
``drano.ir.hostbody``: What must be known of a host function before it is run
``drano.ir.hostexpr``: Values of expressions in host code, as far as they are constant on the way
    that leads to them
``drano.ir.hostpart``: What of a source its launches can depend on
``drano.ir.hostpointers``: Pointers that host code moves before it gives them to a kernel
``drano.ir.hosttrips``: Loops of host code
``drano.ir.hostvalues``: Constants in host code
``drano.ir.inline_ptx``: Inline PTX that is one instruction LLVM has
``drano.ir.inlining``: Which device functions to expand into their callers, decided on the text of
    a module
``drano.ir.inputs``: Reads an input file, and says in one line why it cannot be used
``drano.ir.instances``: Kernel templates that nobody instantiates, and instances that the user
    asks for
``drano.ir.instructions``: One printed instruction to one frozen ``model`` instruction
``drano.ir.intrinsics``: What the functions mean that device code calls without defining them
``drano.ir.launch_syntax``: What a launch looks like in libclang's trees, and which kernel it
    names
``drano.ir.launches``: Kernel launches in host code, with the grid, block and arguments that are
    constant
``drano.ir.layout``: Sizes and alignments of types in memory, as LLVM lays them out for nvptx64
``drano.ir.libclang``: libclang, reduced to what reading host code needs
``drano.ir.loader``: Empty shared libraries, in place of those that the loader misses and nothing
    uses
``drano.ir.loops``: Loops of a control-flow graph
``drano.ir.mentions``: Kernels and host functions that host code names otherwise than to launch or
    to call them
``drano.ir.model``: The frozen picture of a device module that every analysis reads
``drano.ir.nvcc``: Understands nvcc's (and gcc's and clang's) command lines, as far as parsing the
    source needs
``drano.ir.operands``: Operands from text
``drano.ir.orphan``: A process that works for another one ends when that one is gone, whatever it
    is busy with
``drano.ir.overlay``: Puts text in the place of files without touching them
``drano.ir.pch``: A precompiled prelude
``drano.ir.preamble``: A source's own leading ``#include`` block as a precompiled header, for
    files that are edited
``drano.ir.prepare``: From a compiler's device IR to the IR that the analyses read
``drano.ir.process``: Runs one tool under limits
``drano.ir.project_headers``: Headers of the project itself that clang was not told the way to,
    looked for in its repository
``drano.ir.ptx``: From a unit's device IR to optimised PTX
``drano.ir.ptx_operands``: Operands, numbers and modifiers of one instruction of inline PTX, read
    strictly
``drano.ir.quarantine``: Prepares IR that strangers wrote in a process of its own
``drano.ir.reader``: From a prepared module to the frozen ``model``
``drano.ir.rescue``: Makes a unit with errors give the IR of what is sound in it
``drano.ir.sdk_paths``: Which CUDA SDK a path of a compile command belongs to, told by files,
    running nothing
``drano.ir.sdk_use``: Which CUDA SDK the units of a run were compiled with, and who chose it, for
    ``-v``
``drano.ir.shared_objects``: ``__shared__`` variables whose types have constructors
``drano.ir.shown``: Launches as text, for other units
``drano.ir.skipped``: Whether a kernel may be in what clang skips after an error that is in no
    declaration
``drano.ir.stubs``: Stands in for missing headers of libraries that host code uses
``drano.ir.system``: Whose code a place is in
``drano.ir.templates``: Printed instructions of one shape, decoded once
``drano.ir.text``: The words of LLVM's textual IR
``drano.ir.toolchain``: Which clang is used, and with which C and C++ headers
``drano.ir.uncompiled``: Which kernels device code with errors costs, told from the IR of what did
    compile
``drano.ir.unit``: What the front end hands on
``drano.ir.unit_launches``: The launches of one unit
``drano.ir.uses``: Which operands an instruction reads, in the order of its fields
``drano.lattice``: Abstract values
``drano.lattice.banks``: Wavefronts of one warp's request to shared memory, from the address of
    every lane
``drano.lattice.base``: What a lattice is here, and two ways to build one from parts
``drano.lattice.clamps``: Choices that an affine comparison decides
``drano.lattice.clouds``: Where the lanes of a warp are, for counting what their requests touch
``drano.lattice.congruence``: What is known of an integer modulo a number
``drano.lattice.forms``: The values of the warp domain (see ``warp.py``)
``drano.lattice.lanes``: Integers per lane
``drano.lattice.memspace``: Memory space that a pointer points into
``drano.lattice.multiplier``: The paper's integers
``drano.lattice.paper``: Values of the paper's analysis
``drano.lattice.predicate``: The paper's booleans, and its active set (GPUDrano, CAV'17)
``drano.lattice.transactions``: Lines and sectors that one warp request touches, from the address
    of every lane
``drano.lattice.warp``: The warp domain
``drano.lattice.warp_ops``: Operations of the warp domain that need the *integer* behind the bits
``drano.lattice.warp_ops.bits``: Shifts, masks and changes of width
``drano.lattice.warp_ops.division``: Quotients and remainders
``drano.lattice.warp_ops.predicates``: Comparisons and truth values, decided per lane where ranges
    and residues allow
``drano.lattice.warp_ops.selection``: One of several values
``drano.lattice.warp_ops.unknowns``: Results of which only the uniformity is known, and questions
    about the atoms of values
``drano.finding``: What the analyses say
``drano.span``: Where things are in the source
``drano.config``: The settings of a run
``drano.globs``: Patterns of files as ``.gitignore`` has them, for ``exclude`` and
    ``per-file-ignores``
``drano.argument_types``: Values of command-line arguments
``drano.cluster``: ``--executor dask:ADDRESS`` and ``ray:ADDRESS``
``drano.elsewhere``: Launches of a unit's kernels in the other units of a run
``drano.forks``: Work of one process on several processors
``drano.occupancy``: Occupancy
``drano.occupancy.findings``: The findings of DRN501
``drano.occupancy.formula``: Theoretical occupancy, as NVIDIA's ``cuda_occupancy.h`` computes it,
    and the way to more
``drano.occupancy.gpus``: What a multiprocessor of each GPU offers
``drano.occupancy.pressure``: Register pressure
``drano.occupancy.report``: ``drano occupancy``
``drano.occupancy.tuning``: Which way to tune a kernel's occupancy, and the few versions that are
    worth a run
``drano.occupancy.usage``: Registers, spills and shared memory of each kernel of a file, as
    ``ptxas -v`` says
``drano.quick``: Frozen dataclasses with slots that are made in less than half of the time
``drano.records``: Frozen dataclasses made again from their values, quicker than the standard
    library does it
``drano.starter``: ``drano init``
``drano.worker``: A process that analyses one unit after the other, and the side that holds it
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from drano.driver import check as check

__version__ = "0.1.0"
__all__ = ["__version__", "check"]


def __getattr__(name: str) -> Any:
    """``check``, when first asked for: the lattices and the model do not load LLVM."""
    if name == "check":
        return importlib.import_module("drano.driver").check
    raise AttributeError(f"module 'drano' has no attribute {name!r}")
