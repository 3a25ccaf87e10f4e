import { Button } from '@mantine/core'
import {
  INVALID_RANGE_MESSAGE,
  isValidRange,
  type MaybeRange,
  payoutBeWeekHints,
  payoutWeekHints,
} from '@tallyroom/domain/periods'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useToday } from '../../lib/clock.ts'
import { useMe } from '../../lib/session.ts'
import { SitesSelect, useAreNamesLoading } from '../../shared/pickers/SitesSelect.tsx'
import { Top10Table } from '../../shared/boards/Top10Table.tsx'
import { DateRangePicker } from '../../ui/dates/DateRangePicker.tsx'
import { CriteriaRow } from '../../ui/filters/CriteriaRow.tsx'
import { ExportMenu } from '../../ui/export/ExportMenu.tsx'
import { MoreLine } from '../../ui/list/MoreLine.tsx'
import { PrintButtons } from '../../ui/export/PrintButtons.tsx'
import { TableFrame } from '../../ui/list/TableFrame.tsx'
import { TimeZoneNote } from '../../ui/text/TimeZoneNote.tsx'
import { useDraft } from '../../ui/filters/use-draft.ts'
import { saveTop10, top10Query } from './top-agents.api.ts'
import { WithDays } from '../../ui/text/WithDays.tsx'
import classes from './TopAgentsPage.module.css'

const route = getRouteApi('/app/stats/top-agents')

/** Top Agents: the ten best of a period, on all sites or some. */
export function TopAgentsPage() {
  const me = useMe()
  const today = useToday()
  const { start, end, siteIds, print = false } = route.useSearch()
  const navigate = route.useNavigate()
  const [draft, change] = useDraft({ start, end, siteIds })
  /** Load was pressed with no custom site chosen. */
  const [isTried, setIsTried] = useState(false)
  const query = useQuery(top10Query({ start, end }, siteIds ?? []))
  const isValid = isValidRange({ start, end })
  const board = query.isError ? undefined : query.data
  const areNamesLoading = useAreNamesLoading(siteIds)

  const load = () => {
    if (!isValidRange(draft)) return
    const isIncomplete = draft.siteIds?.length === 0
    setIsTried(isIncomplete)
    if (isIncomplete) return
    const next = {
      start: draft.start,
      end: draft.end,
      siteIds: draft.siteIds,
      print: print || undefined,
    }
    const isSame =
      next.start === start && next.end === end && String(draft.siteIds) === String(siteIds)
    if (isSame) void query.refetch()
    else void navigate({ search: next })
  }

  // Rendering earlier would shift the layout when the names wrap onto more lines.
  if (areNamesLoading) return null
  return (
    <TableFrame
      isPart
      criteria={
        !print && (
          <CriteriaRow searchLabel="Load statistics" busy={query.isFetching} onSearch={load}>
            <DateRangePicker
              label="Period"
              value={draft}
              onChange={(range) =>
                change({ start: range.start ?? undefined, end: range.end ?? undefined })
              }
              extraHints={[
                { heading: 'Payout weeks', hints: payoutWeekHints(today) },
                { heading: 'Payout half-months', hints: payoutBeWeekHints(today) },
              ]}
            />
            <SitesSelect
              value={draft.siteIds}
              onChange={(chosen) => change({ siteIds: chosen })}
              error={isTried && draft.siteIds?.length === 0 && 'Choose at least one site'}
            />
          </CriteriaRow>
        )
      }
      summary={
        <MoreLine>
          {isValid && (
            <span>
              <WithDays>
                From {start} To {end}
              </WithDays>
              {siteIds && `, ${siteIds.length} ${siteIds.length === 1 ? 'site' : 'sites'}`}. Ranks
              agents for up to 7 days, offices for longer.
            </span>
          )}
          <TimeZoneNote />
        </MoreLine>
      }
      actions={
        <>
          <ExportMenu
            save={async (format, options) => {
              const range = { start, end }
              if (isValidRange(range)) await saveTop10(range, siteIds ?? [], format, options)
            }}
            disabled={!board?.rows.length || query.isFetching}
          />
          <PrintButtons
            on={print}
            onToggle={() =>
              void navigate({
                search: (search) => ({ ...search, print: print ? undefined : true }),
                replace: true,
              })
            }
          />
        </>
      }
    >
      <div
        className={classes.card}
        data-stale={query.isPlaceholderData || undefined}
        data-shrunk={print || undefined}
      >
        {!isValid ? (
          <div className={classes.message}>{INVALID_RANGE_MESSAGE}</div>
        ) : query.error ? (
          <div className={classes.message}>
            <div role="alert">{query.error.message}</div>
            <Button variant="default" mt="sm" onClick={() => void query.refetch()}>
              Retry
            </Button>
          </div>
        ) : (
          <Top10Table
            label="Top Agents"
            groupBy={board?.groupBy ?? 'agent'}
            viewer={me}
            rows={board?.rows}
            covers={coveredBy({ start, end }, siteIds)}
          />
        )}
      </div>
    </TableFrame>
  )
}

/** A figure can be explained for all sites or for one. */
function coveredBy({ start, end }: MaybeRange, siteIds: readonly number[] = []) {
  const range = { start, end }
  if (!isValidRange(range) || siteIds.length > 1) return undefined
  const [siteId] = siteIds
  return { ...range, ...(siteId !== undefined && { siteId }) }
}
