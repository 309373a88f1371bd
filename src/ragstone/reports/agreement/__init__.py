"""A run held against what people said of the same cases: can this judge be believed?"""

from ragstone.reports.agreement.model import AgreementReport, MetricAgreement, agreement

__all__ = ["AgreementReport", "MetricAgreement", "agreement"]
