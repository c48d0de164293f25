"""The front-end: compile C++ to unoptimized device IR and facts, by stock clang with our plugin.

It also builds the command lines that compile and link the host side.
"""

from dovetail.on_demand import lazy_exports

__getattr__, __dir__ = lazy_exports(__name__)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dovetail.frontend.command import (
        CXX as CXX,
        Flags as Flags,
        Side as Side,
        Source as Source,
        check_command as check_command,
        common_options as common_options,
        compile_command as compile_command,
        embed_command as embed_command,
        hides_symbols as hides_symbols,
        host_check_command as host_check_command,
        host_compile_command as host_compile_command,
        is_redefinition as is_redefinition,
        object_command as object_command,
        visible_main_command as visible_main_command,
        without_header as without_header,
    )
    from dovetail.frontend.dependencies import (
        Dependencies as Dependencies,
        dependency_paths as dependency_paths,
        merge_dependencies as merge_dependencies,
    )
    from dovetail.frontend.files_beside import (
        files_beside_options as files_beside_options,
    )
    from dovetail.frontend.header_use import header_macros as header_macros
    from dovetail.frontend.host_link import (
        HostForm as HostForm,
        host_link_command as host_link_command,
        join_objects_command as join_objects_command,
        start_library_options as start_library_options,
    )
    from dovetail.frontend.messages import (
        ErrorHead as ErrorHead,
        error_heads as error_heads,
        join_messages as join_messages,
        summary as summary,
    )
    from dovetail.frontend.precompiled import (
        PrecompiledHeader as PrecompiledHeader,
        bodies_command as bodies_command,
        header_of_object as header_of_object,
        header_read_set as header_read_set,
        headers_can_be_stored as headers_can_be_stored,
        occurs_in as occurs_in,
        precompile_command as precompile_command,
        precompile_input as precompile_input,
        precompiled_header as precompiled_header,
        store_bodies as store_bodies,
        store_precompiled as store_precompiled,
        weaken_command as weaken_command,
    )
    from dovetail.frontend.tools import Tools as Tools, run_clang as run_clang
