"""The front-end: compile C++ to unoptimized device IR and facts, by stock clang with our plugin.

It also builds the command lines that compile and link the host side.
"""

from dovetail.on_demand import lazy_exports

__getattr__, __dir__ = lazy_exports(__name__)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dovetail.frontend.command import (
        CXX as CXX,
    )
    from dovetail.frontend.command import (
        Flags as Flags,
    )
    from dovetail.frontend.command import (
        Side as Side,
    )
    from dovetail.frontend.command import (
        Source as Source,
    )
    from dovetail.frontend.command import (
        check_command as check_command,
    )
    from dovetail.frontend.command import (
        common_options as common_options,
    )
    from dovetail.frontend.command import (
        compile_command as compile_command,
    )
    from dovetail.frontend.command import (
        embed_command as embed_command,
    )
    from dovetail.frontend.command import (
        hides_symbols as hides_symbols,
    )
    from dovetail.frontend.command import (
        host_check_command as host_check_command,
    )
    from dovetail.frontend.command import (
        host_compile_command as host_compile_command,
    )
    from dovetail.frontend.command import (
        is_redefinition as is_redefinition,
    )
    from dovetail.frontend.command import (
        object_command as object_command,
    )
    from dovetail.frontend.command import (
        visible_main_command as visible_main_command,
    )
    from dovetail.frontend.command import (
        without_header as without_header,
    )
    from dovetail.frontend.dependencies import (
        Dependencies as Dependencies,
    )
    from dovetail.frontend.dependencies import (
        dependency_paths as dependency_paths,
    )
    from dovetail.frontend.dependencies import (
        merge_dependencies as merge_dependencies,
    )
    from dovetail.frontend.files_beside import (
        files_beside_options as files_beside_options,
    )
    from dovetail.frontend.header_use import header_macros as header_macros
    from dovetail.frontend.host_link import (
        HostForm as HostForm,
    )
    from dovetail.frontend.host_link import (
        host_link_command as host_link_command,
    )
    from dovetail.frontend.host_link import (
        join_objects_command as join_objects_command,
    )
    from dovetail.frontend.host_link import (
        start_library_options as start_library_options,
    )
    from dovetail.frontend.messages import (
        ErrorHead as ErrorHead,
    )
    from dovetail.frontend.messages import (
        error_heads as error_heads,
    )
    from dovetail.frontend.messages import (
        join_messages as join_messages,
    )
    from dovetail.frontend.messages import (
        summary as summary,
    )
    from dovetail.frontend.precompiled import (
        PrecompiledHeader as PrecompiledHeader,
    )
    from dovetail.frontend.precompiled import (
        bodies_command as bodies_command,
    )
    from dovetail.frontend.precompiled import (
        header_of_object as header_of_object,
    )
    from dovetail.frontend.precompiled import (
        header_read_set as header_read_set,
    )
    from dovetail.frontend.precompiled import (
        headers_can_be_stored as headers_can_be_stored,
    )
    from dovetail.frontend.precompiled import (
        occurs_in as occurs_in,
    )
    from dovetail.frontend.precompiled import (
        precompile_command as precompile_command,
    )
    from dovetail.frontend.precompiled import (
        precompile_input as precompile_input,
    )
    from dovetail.frontend.precompiled import (
        precompiled_header as precompiled_header,
    )
    from dovetail.frontend.precompiled import (
        store_bodies as store_bodies,
    )
    from dovetail.frontend.precompiled import (
        store_precompiled as store_precompiled,
    )
    from dovetail.frontend.precompiled import (
        weaken_command as weaken_command,
    )
    from dovetail.frontend.tools import Tools as Tools
    from dovetail.frontend.tools import run_clang as run_clang
