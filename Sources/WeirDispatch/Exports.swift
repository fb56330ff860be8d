/// `import WeirDispatch` is enough: the core's names come with it.
@_exported import Weir
