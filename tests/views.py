"""Settings of tests that look at accesses as they are written."""

from drano.model.settings import AnalysisOptions, Config, View

AS_WRITTEN = Config(analysis=AnalysisOptions(view=View.WRITTEN))
