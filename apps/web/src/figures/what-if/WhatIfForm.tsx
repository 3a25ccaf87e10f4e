import { Button, Checkbox } from '@mantine/core'
import { MAX_OTHER_RATES } from '@tallyroom/contract/figures/what-if'
import { avpSelectLabel } from '@tallyroom/domain/avp'
import { type MaybeRange, payoutBeWeekHints, payoutWeekHints } from '@tallyroom/domain/periods'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useToday } from '../../lib/clock.ts'
import { failureText } from '../../lib/forms/form-errors.ts'
import { ManySelect } from '../../shared/pickers/ManySelect.tsx'
import { officeOptionsQuery } from '../../shared/pickers/OfficeSelect.tsx'
import { siteOptionsQuery } from '../../shared/pickers/SitesSelect.tsx'
import { DateRangePicker } from '../../ui/dates/DateRangePicker.tsx'
import { AmountInput } from '../../ui/form/AmountInput.tsx'
import { CriteriaRow } from '../../ui/filters/CriteriaRow.tsx'
import { areAmounts, ratesOfText, textOfRates } from './other-rates.ts'
import { RateTable } from './RateTable.tsx'
import { tiersQuery, useRateSites } from './what-if.api.ts'
import classes from './what-if.module.css'
import type { WhatIfSearch } from './what-if-search.ts'

export type WhatIfDraft = Pick<
  WhatIfSearch,
  'companyIds' | 'siteIds' | 'rates' | 'tiers' | 'replaceOwn'
> &
  MaybeRange

interface WhatIfFormProps {
  draft: WhatIfDraft
  change: (part: Partial<WhatIfDraft>) => void
  /** The tiers of its first day are offered. */
  applied: WhatIfDraft & { start: string }
  busy: boolean
  onSearch: (criteria: WhatIfDraft) => void
  onClear: () => void
}

/** Whose past sales, of which days, and at what rates or tiers they would have been paid. */
export function WhatIfForm({ draft, change, applied, busy, onSearch, onClear }: WhatIfFormProps) {
  const today = useToday()
  const { sites, types: typesQuery } = useRateSites(draft.siteIds ?? [])
  const siteOptions = useQuery(siteOptionsQuery)
  const officeOptions = useQuery(officeOptionsQuery())
  // While those of another first day load, the fields stay, and the focus in them.
  const tiers = useQuery({ ...tiersQuery(applied.start), placeholderData: keepPreviousData })
  const missing = [typesQuery, ...(applied.tiers === undefined ? [tiers] : [])].find(
    ({ error }) => error,
  )
  const rates = ratesOfText(draft.rates)
  const typedTiers = draft.tiers?.split(',')
  const withTier = (place: number, value: string) =>
    (tiers.data ?? []).map((tier, index) =>
      index === place ? value.trim() : (typedTiers?.[index] ?? String(tier.payoutPhp)),
    )
  return (
    <>
      <CriteriaRow
        searchLabel="Calculate"
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
        <ManySelect
          label="Offices"
          none="All offices"
          width={300}
          options={officeOptions.data}
          error={officeOptions.error?.message}
          value={draft.companyIds ?? []}
          onChange={(ids) => change({ companyIds: someOf(ids) })}
        />
        <ManySelect
          label="Sites"
          none="Choose sites"
          width={300}
          options={siteOptions.data}
          error={siteOptions.error?.message}
          value={draft.siteIds ?? []}
          onChange={(ids) => {
            const gone = sites.filter(({ id }) => !ids.includes(id)).flatMap(({ types }) => types)
            const kept = [...rates].filter(
              ([typeId]) => ids.length > 0 && !gone.some(({ id }) => id === typeId),
            )
            change({ siteIds: someOf(ids), rates: textOfRates(new Map(kept)) })
          }}
        />
      </CriteriaRow>
      {missing?.error && (
        <p className={classes.missing} role="alert">
          {missing === tiers ? 'The AVP tiers are missing. ' : 'Link types are missing. '}
          {failureText(missing.error)}{' '}
          <Button variant="default" size="compact-xs" onClick={() => void missing.refetch()}>
            Retry
          </Button>
        </p>
      )}
      <div className={classes.others}>
        {sites.length > 0 && (
          <div>
            <RateTable
              sites={sites}
              rates={rates}
              onChange={(next) => change({ rates: textOfRates(next) })}
            />
            {rates.size > MAX_OTHER_RATES && (
              <p className={classes.tooMany} role="alert">
                At most {MAX_OTHER_RATES} link types can have other rates at once.
              </p>
            )}
            <Checkbox
              mt="xs"
              label="Replace own rates of offices, too"
              description="Otherwise, offices that have their own rates for a link type now keep them."
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

/** Undefined if none is chosen, which leaves the URL short. */
const someOf = (ids: number[]): number[] | undefined => (ids.length > 0 ? ids : undefined)
