import type { Me } from '@tallyroom/contract/people/accounts'
import type { AmountQuestion } from '@tallyroom/contract/figures/explain'
import { can } from '@tallyroom/domain/abilities'
import type { DateRange } from '@tallyroom/domain/periods'

/**
 * The sales of one office, or of all, for viewers who may see what they consist of: staff, and the
 * office itself.
 */
export const officeSales = (
  me: Me,
  companyId: number | undefined,
  { start, end }: DateRange,
): AmountQuestion | undefined =>
  can(me, 'offices.choose') || (me.role === 'company' && me.companyId === companyId)
    ? {
        report: 'sites',
        column: 'sales',
        start,
        end,
        ...(companyId !== undefined && { companyId }),
      }
    : undefined
