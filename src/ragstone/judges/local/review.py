"""The review of a whole case by rule, from the verdicts on its claims.

    not acceptable   one claim is contradicted, or the output declines although the context is sufficient
    acceptable       every claim is supported and the output answers the question, or it declines and the context is
                     not sufficient
    cannot tell      else

The context is sufficient where every claim of the expected output is supported, and insufficient where none is
mentioned; without an expected output the judge cannot tell.
"""
