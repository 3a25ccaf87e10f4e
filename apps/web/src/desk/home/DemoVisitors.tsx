import { Button } from '@mantine/core'
import {
  DEMO_VISITORS_MINUTES,
  demoVisitorsEndpoints,
} from '@tallyroom/contract/operate/demo-visitors'
import { formatClock } from '@tallyroom/domain/new-york'
import { IconUsersPlus } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'
import { demoVisitorsQuery } from './dashboard.api.ts'
import classes from './HomeOwn.module.css'

/** Lets a superadmin watch the demo's figures move. Renders nothing for any other database. */
export function DemoVisitors() {
  const client = useQueryClient()
  const { data } = useQuery({ ...demoVisitorsQuery, refetchInterval: 60_000 })
  const setting = useMutation({
    mutationFn: (on: boolean) => call(demoVisitorsEndpoints.setDemoVisitors, { body: { on } }),
    onSuccess: (state) => client.setQueryData(demoVisitorsQuery.queryKey, state),
  })
  if (!data?.isDemo) return null
  const { until } = data
  return (
    <div className={classes.demo}>
      <IconUsersPlus size={18} stroke={1.6} aria-hidden />
      <span role="status">
        {until
          ? `Visitors are coming in until ${formatClock(Date.parse(until)).slice(11, 16)} New York time. Watch the figures move.`
          : `This is the demo. For ${DEMO_VISITORS_MINUTES} minutes, made-up visitors can follow its links and buy now and then.`}
      </span>
      <Button
        size="xs"
        variant="default"
        loading={setting.isPending}
        onClick={() => setting.mutate(until === null)}
      >
        {until ? 'Stop visitors' : 'Let visitors come in'}
      </Button>
    </div>
  )
}
