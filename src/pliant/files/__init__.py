"""Files in, animation out: every format is a module here that makes an `Asset` of a file, or a file of a `Take`.

`reading.read_asset` and `writing.write_take` choose the module by the ending of the name, and import it only then.
"""
