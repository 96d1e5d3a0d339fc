"""Call compiled loops by their address; numba takes ten microseconds for a first-class function."""

from numba import types
from numba.core.types.function_type import FunctionPrototype
from numba.extending import intrinsic

ARRAY = types.float64[::1]


@intrinsic
def fill_values(typingctx, address, a, b, parameter, out):
    """Call the loop at an address with (a, b, parameter, out), which fills `out`."""
    return _call(address, a, b, types.float64, out)


@intrinsic
def fill_slopes(typingctx, address, a, b, parameter, first, second):
    """Call the loop at an address with (a, b, parameter, first, second), which fills both."""
    return _call(address, a, b, types.float64, first, second)


def _call(address, *arguments):
    if any(argument not in (ARRAY, types.float64) for argument in arguments):
        return None  # numba then reports that there is no such function

    def codegen(context, builder, signature, args):
        prototype = FunctionPrototype(types.void, arguments)
        pointer = builder.inttoptr(args[0], context.get_value_type(prototype))
        builder.call(pointer, args[1:])
        return context.get_dummy_value()

    return types.void(types.uintp, *arguments), codegen
