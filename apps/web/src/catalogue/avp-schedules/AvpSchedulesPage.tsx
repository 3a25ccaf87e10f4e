import { Alert, Badge, Button, Skeleton } from '@mantine/core'
import {
  type AvpSchedule,
  avpSchedulesEndpoints,
} from '@tallyroom/contract/catalogue/avp-schedules'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'
import { queryOf } from '../../lib/queries.ts'
import { confirm } from '../../ui/dialogs/dialogs.tsx'
import { LinkButton } from '../../ui/links.tsx'
import { FROM_LIST } from '../../ui/list/back-to-list.ts'
import { EmptyList } from '../../ui/list/EmptyList.tsx'
import { toastDone } from '../../ui/toasts.tsx'
import { refreshSchedules } from './avp-schedules.api.ts'
import { WithDays } from '../../ui/text/WithDays.tsx'
import classes from './AvpSchedulesPage.module.css'
import { TierTable } from './TierTable.tsx'

/** All schedules of agent volume pay, newest first. Only future ones can be changed. */
export function AvpSchedulesPage() {
  const query = useQuery(queryOf(avpSchedulesEndpoints.avpSchedules, {}))
  const schedules = query.data?.schedules
  return (
    <div className={classes.page}>
      <div className={classes.bar}>
        <p>
          How much a sale pays, depending on how many sales the agent makes in a week. A schedule
          applies from its Monday until the next one begins. Weeks that have begun never change.
        </p>
        <LinkButton to="/app/settings/avp-schedule/create" state={FROM_LIST}>
          + Add AVP Schedule
        </LinkButton>
      </div>
      {query.isError && !schedules ? (
        <Alert color="red" role="alert">
          {query.error.message}
          <div>
            <Button variant="default" mt="xs" onClick={() => void query.refetch()}>
              Retry
            </Button>
          </div>
        </Alert>
      ) : schedules === undefined ? (
        <Skeleton height={220} maw={360} role="status" aria-label="Loading" />
      ) : schedules.length === 0 ? (
        <div className={classes.empty}>
          <EmptyList
            text="No schedules yet"
            about="A schedule pays agents by how much they sell in a week."
          >
            <LinkButton to="/app/settings/avp-schedule/create" state={FROM_LIST}>
              Add the first schedule
            </LinkButton>
          </EmptyList>
        </div>
      ) : (
        <ul className={classes.schedules}>
          {schedules.map((schedule) => (
            <ScheduleCard key={schedule.validFrom} schedule={schedule} />
          ))}
        </ul>
      )}
    </div>
  )
}

function ScheduleCard({ schedule }: { schedule: AvpSchedule }) {
  const client = useQueryClient()
  const { validFrom, validTo, state, tiers } = schedule
  const remove = () =>
    confirm({
      heading: 'Delete AVP schedule',
      body: `Delete the schedule from ${validFrom}? The one before it stays in force.`,
      confirmLabel: 'Delete',
      danger: true,
      action: async () => {
        await call(avpSchedulesEndpoints.deleteAvpSchedule, { params: { validFrom } })
        await refreshSchedules(client)
        toastDone()
      },
    })
  return (
    <li className={classes.card} data-state={state}>
      <div className={classes.head}>
        <h2>
          <WithDays>
            {validFrom} – {validTo ?? 'until further notice'}
          </WithDays>
        </h2>
        <Badge color={BADGE_COLORS[state]}>{STATE_LABELS[state]}</Badge>
      </div>
      <TierTable tiers={tiers} />
      {state === 'future' && (
        <div className={classes.actions}>
          <LinkButton
            variant="default"
            to="/app/settings/avp-schedule/$validFrom"
            params={{ validFrom }}
            state={FROM_LIST}
            aria-label={`Edit the schedule from ${validFrom}`}
          >
            Edit
          </LinkButton>
          <Button
            variant="default"
            aria-label={`Delete the schedule from ${validFrom}`}
            onClick={() => void remove()}
          >
            Delete
          </Button>
        </div>
      )}
    </li>
  )
}

const STATE_LABELS = { past: 'Past', current: 'In force', future: 'Upcoming' }
const BADGE_COLORS = { past: 'gray', current: 'brand', future: 'gray' }
