"""The language server: drano's findings in every editor that speaks LSP.

``server`` holds the handlers, ``session`` what is open and when it is analysed, ``pool`` and
``worker`` the processes that do it; ``answers`` are pure functions from an analysis to the
protocol's types. Nothing is executed that the workspace names.
"""
