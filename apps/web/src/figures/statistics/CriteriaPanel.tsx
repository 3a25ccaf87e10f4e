import {
  groupings,
  hasSubs,
  type StatsGrouping,
  subLabel,
  subOfView,
  viewsOf,
  type StatsCriteria,
} from '@tallyroom/contract/figures/stats-table'
import { Button, Loader, SegmentedControl } from '@mantine/core'
import { can } from '@tallyroom/domain/abilities'
import {
  type DateRange,
  daysInWords,
  isValidRange,
  type MaybeRange,
  payoutBeWeekHints,
  payoutWeekHints,
  payrollHints,
} from '@tallyroom/domain/periods'
import { SUB_NAMES } from '@tallyroom/domain/tracked-link'
import { use } from 'react'
import { useToday } from '../../lib/clock.ts'
import { useIsNarrow } from '../../lib/phone.ts'
import { useMe } from '../../lib/session.ts'
import { AvpSelect } from '../../shared/pickers/AvpSelect.tsx'
import { OfficeAgentFields } from '../../shared/pickers/OfficeAgentFields.tsx'
import { SiteSelect } from '../../shared/pickers/SiteSelect.tsx'
import { SubIdFilter } from '../../shared/SubIdFilter.tsx'
import { TypeSelect } from '../../shared/pickers/TypeSelect.tsx'
import { DateRangePicker } from '../../ui/dates/DateRangePicker.tsx'
import { WeekRangePicker } from '../../ui/dates/WeekRangePicker.tsx'
import { FilterChip, Folded, InLine } from '../../ui/filters/folded.tsx'
import { FoldedFilters } from '../../ui/filters/FoldedFilters.tsx'
import { useDraft } from '../../ui/filters/use-draft.ts'
import { Select } from '../../ui/Select.tsx'
import rowClasses from '../../ui/filters/CriteriaRow.module.css'
import classes from './CriteriaPanel.module.css'
import { isSameCriteria, type StatsReport } from './stats-search.ts'

interface CriteriaPanelProps {
  report: StatsReport
  /** The criteria of the figures on screen. */
  applied: StatsCriteria
  busy: boolean
  onLoad: (criteria: StatsCriteria) => void
}

/**
 * The criteria form. View By and dates load at once, together with whatever else was chosen; the other fields wait for
 * 'Load statistics', which also reloads.
 */
export function CriteriaPanel({ report, applied, busy, onLoad }: CriteriaPanelProps) {
  const me = useMe()
  const today = useToday()
  const isNarrow = useIsNarrow()
  const views = viewsOf(report, me)
  /** Whether the report is paid by half-months. */
  const paysByPeriod = report.pays === 'rates'
  const [criteria, change] = useDraft(applied)
  const act = (part: Partial<StatsCriteria>) => {
    change(part)
    const next = { ...criteria, ...part }
    if (isValidRange(next) && !isSameCriteria(next, applied)) onLoad(next)
  }

  const load = () => {
    if (!busy && isValidRange(criteria)) onLoad(criteria)
  }
  const fields = (
    <>
      <SiteSelect
        withSuspended
        value={criteria.siteId}
        onChange={(siteId) =>
          change({ siteId, ...(siteId === undefined && { typeId: undefined }) })
        }
      />
      <TypeSelect
        siteId={criteria.siteId}
        value={criteria.typeId}
        onChange={(typeId) => change({ typeId })}
      />
      <OfficeAgentFields
        agentsQuery="onlyAvailablePlusSuspended"
        draft={criteria}
        onChange={change}
      />
      {views.length > 1 && (
        <ViewBy views={views} value={criteria.groupBy} onChange={(groupBy) => act({ groupBy })} />
      )}
      {hasSubs(report) && (isNarrow || (subOfView(criteria.groupBy) ?? criteria.sub)) && (
        <SubIdFilter draft={criteria} onChange={change} />
      )}
      {report.isWeekly && can(me, 'stats.avp.choose') && (
        <AvpSelect
          day={criteria.start ?? undefined}
          value={criteria.avp}
          onChange={(avp) => change({ avp })}
        />
      )}
      {report.isWeekly ? (
        <WeekRangePicker value={criteria} onChange={({ start, end }) => act({ start, end })} />
      ) : (
        <DateRangePicker
          value={criteria}
          onChange={({ start, end }) => act({ start, end })}
          {...(paysByPeriod
            ? {
                firstHints: [{ heading: 'Half-months', hints: payrollHints(today) }],
                extraHints: [{ heading: 'Payout weeks', hints: payoutWeekHints(today) }],
              }
            : {
                extraHints: [
                  { heading: 'Payout weeks', hints: payoutWeekHints(today) },
                  { heading: 'Payout half-months', hints: payoutBeWeekHints(today) },
                ],
              })}
        />
      )}
      {paysByPeriod && <HalfMonths value={criteria} onChange={act} />}
    </>
  )
  if (isNarrow) {
    return (
      <FoldedFilters searchLabel="Load statistics" busy={busy} onSearch={load}>
        {fields}
      </FoldedFilters>
    )
  }
  return (
    <form
      className={rowClasses.row}
      role="search"
      aria-label="Statistics criteria"
      onSubmit={(event) => {
        event.preventDefault()
        load()
      }}
    >
      <InLine value>{fields}</InLine>
      <Button
        type="submit"
        variant="light"
        aria-busy={busy}
        {...(busy && { leftSection: <Loader size={14} color="currentColor" /> })}
      >
        Load statistics
      </Button>
    </form>
  )
}

interface HalfMonthsProps {
  value: MaybeRange
  onChange: (range: DateRange) => void
}

/** The running half-month and the last. Among folded filters, the chip of the days says which one is on screen. */
function HalfMonths({ value, onChange }: HalfMonthsProps) {
  const today = useToday()
  if (use(Folded) !== null) return null
  return (
    <Button.Group className={classes.periods}>
      {payrollHints(today)
        .slice(0, 2)
        .map(({ start, end }) => (
          <Button
            key={start}
            variant="default"
            aria-pressed={start === value.start && end === value.end}
            onClick={() => onChange({ start, end })}
          >
            {daysInWords({ start, end })}
          </Button>
        ))}
    </Button.Group>
  )
}

interface ViewByProps {
  views: readonly StatsGrouping[]
  value: StatsGrouping
  onChange: (groupBy: StatsGrouping) => void
}

function ViewBy({ views, value, onChange }: ViewByProps) {
  const isFolded = use(Folded) !== null
  if (isFolded) return <FilterChip text={`By ${groupings[value].label}`} />
  const sub = subOfView(value)
  const others = views.filter((groupBy) => subOfView(groupBy) === undefined)
  return (
    <div className={classes.views}>
      <span>View By</span>
      <SegmentedControl
        size="xs"
        radius="xl"
        aria-label="View By"
        data={[
          ...others.map((groupBy) => ({ value: groupBy, label: groupings[groupBy].label })),
          ...(others.length < views.length ? [{ value: SUB_NAMES[0], label: 'Sub id' }] : []),
        ]}
        // The five are one choice here, and another beside it.
        value={sub ? SUB_NAMES[0] : value}
        onChange={onChange}
      />
      {sub && (
        <Select
          aria-label="Which sub id"
          w={96}
          allowDeselect={false}
          data={SUB_NAMES.map((name) => ({ value: name, label: subLabel(name) }))}
          value={sub}
          onChange={(name) => name !== null && onChange(name)}
        />
      )}
    </div>
  )
}
