/// The core's names come with the transport, as they do with every module.
@_exported import Weir
