"""Agreement of a run's scores with people's labels of the same cases."""

from ragstone.findings.agreement.model import AgreementReport, MetricAgreement, agreement

__all__ = ["AgreementReport", "MetricAgreement", "agreement"]
