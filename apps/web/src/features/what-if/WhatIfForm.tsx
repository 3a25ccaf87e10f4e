import { Checkbox } from '@mantine/core'
import { avpSelectLabel } from '@tallyroom/domain/avp'
import { type MaybeRange, payoutBeWeekHints, payoutWeekHints } from '@tallyroom/domain/periods'
import { useQuery } from '@tanstack/react-query'
import { useToday } from '../../lib/clock.ts'
import { OfficeSelect } from '../../pickers/OfficeSelect.tsx'
import { SiteSelect } from '../../pickers/SiteSelect.tsx'
import { DateRangePicker } from '../../ui/dates/DateRangePicker.tsx'
import { AmountInput } from '../../ui/form/AmountInput.tsx'
import { CriteriaRow } from '../../ui/list/CriteriaRow.tsx'
import { useDraft } from '../../ui/list/use-draft.ts'
import { areAmounts, ratesOfText, textOfRates } from './other-rates.ts'
import { RateTable } from './RateTable.tsx'
import { tiersQuery, typesQuery } from './what-if.api.ts'
import classes from './what-if.module.css'
import type { WhatIfSearch } from './what-if.routes.ts'

type WhatIfDraft = Pick<
  WhatIfSearch,
  'companyId' | 'siteId' | 'groupBy' | 'rates' | 'tiers' | 'replaceOwn'
> &
  MaybeRange

interface WhatIfFormProps {
  applied: WhatIfDraft
  /** The first day, which says whose tiers are offered. */
  from: string
  busy: boolean
  onSearch: (criteria: WhatIfDraft) => void
  onClear: () => void
}

/** Whose past sales, of which days, and what they would have been paid by. */
export function WhatIfForm({ applied, from, busy, onSearch, onClear }: WhatIfFormProps) {
  const today = useToday()
  const [draft, change] = useDraft<WhatIfDraft>(applied)
  const types = useQuery({
    ...typesQuery(draft.siteId ?? 0),
    enabled: draft.siteId !== undefined,
  })
  const tiers = useQuery(tiersQuery(from))
  const rates = ratesOfText(draft.rates)
  const typedTiers = draft.tiers?.split(',')
  const withTier = (place: number, value: string) =>
    (tiers.data ?? []).map((tier, index) =>
      index === place ? value.trim() : (typedTiers?.[index] ?? String(tier.payoutPhp)),
    )
  return (
    <>
      <CriteriaRow
        searchLabel="Work it out"
        busy={busy}
        onSearch={() => onSearch(draft)}
        onClear={onClear}
      >
        <DateRangePicker
          label="Past days"
          value={{ start: draft.start, end: draft.end }}
          onChange={({ start, end }) =>
            change({ start: start ?? undefined, end: end ?? undefined })
          }
          extraHints={[
            { heading: 'Payout half-months', hints: payoutBeWeekHints(today) },
            { heading: 'Payout weeks', hints: payoutWeekHints(today) },
          ]}
        />
        <OfficeSelect value={draft.companyId} onChange={(companyId) => change({ companyId })} />
        <SiteSelect
          placeholder="Choose a site"
          withSuspended
          value={draft.siteId}
          onChange={(siteId) => change({ siteId, rates: undefined })}
        />
      </CriteriaRow>
      <div className={classes.others}>
        {draft.siteId !== undefined && types.data && (
          <div>
            <RateTable
              types={types.data}
              rates={rates}
              onChange={(next) => change({ rates: textOfRates(next) })}
            />
            <Checkbox
              mt="xs"
              label="Replace own rates of offices, too"
              description="Otherwise, offices that have own rates for a link type now are left as they were."
              checked={draft.replaceOwn ?? true}
              onChange={({ currentTarget: { checked } }) =>
                change({ replaceOwn: checked ? undefined : false })
              }
            />
          </div>
        )}
        {tiers.data && tiers.data.length > 0 && (
          <div>
            <Checkbox
              label="Other AVP tiers"
              description="For AVP sales of all sites, whatever link types are chosen."
              checked={typedTiers !== undefined}
              onChange={({ currentTarget: { checked } }) =>
                change({ tiers: checked ? withTier(-1, '').join(',') : undefined })
              }
            />
            {typedTiers && (
              <ol className={classes.tiers} start={0}>
                {tiers.data.map((tier, index) => (
                  <li key={tier.index}>
                    <AmountInput
                      label={avpSelectLabel(tier)}
                      currency="₱"
                      size="xs"
                      value={typedTiers[index] ?? ''}
                      error={!areAmounts([typedTiers[index] ?? ''])}
                      onChange={({ currentTarget: { value } }) =>
                        change({ tiers: withTier(index, value.replace(',', '.')).join(',') })
                      }
                    />
                  </li>
                ))}
              </ol>
            )}
          </div>
        )}
      </div>
    </>
  )
}
