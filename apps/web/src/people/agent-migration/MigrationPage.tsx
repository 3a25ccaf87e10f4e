import { Button, Text } from '@mantine/core'
import { migrationEndpoints } from '@tallyroom/contract/people/agent-migration'
import { formatCount } from '@tallyroom/domain/money'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { call } from '../../lib/call.ts'
import { queryOf } from '../../lib/queries.ts'
import { alert, confirm } from '../../ui/dialogs/dialogs.tsx'
import { FormSection, WholeRow } from '../../ui/form/FormSection.tsx'
import { toastDone } from '../../ui/toasts.tsx'
import { FailedAgents } from './FailedAgents.tsx'
import classes from './MigrationPage.module.css'

const { countToMigrate, migrate } = migrationEndpoints

/** Turns the agents that the operator imported from an old server into accounts. */
export function MigrationPage() {
  const waiting = useQuery(queryOf(countToMigrate, {}))
  const navigate = useNavigate()
  const client = useQueryClient()
  const { count, failures = [] } = waiting.data ?? {}

  const handleMigrate = async () => {
    let failed = 0
    const isDone = await confirm({
      heading: 'Migrate agents',
      body: 'Do you want to migrate old agents from old server, marked as "Ready To Migrate"?',
      confirmLabel: 'Migrate',
      action: async () => {
        ;({ failed } = await call(migrate, {}))
        await client.invalidateQueries()
      },
    })
    if (!isDone) return
    toastDone()
    if (failed > 0)
      await alert({
        heading: 'Some agents could not be migrated',
        body: `${failed === 1 ? '1 agent was' : `${formatCount(failed)} agents were`} not migrated. See the Migration page for the reasons.`,
      })
    await navigate({ to: '/app/agents' })
  }

  return (
    <div className={classes.page}>
      <FormSection
        title="From an old server"
        about="Agents that the operator imported on the command line become accounts here."
      >
        <div className={classes.start}>
          <div role="status">
            {count === undefined ? (
              <Text c="dimmed">{waiting.isError ? waiting.error.message : 'Counting…'}</Text>
            ) : (
              <>
                <strong className={classes.count}>{formatCount(count)}</strong>{' '}
                {count === 1 ? 'agent is' : 'agents are'} ready to migrate.
              </>
            )}
          </div>
          {waiting.isError && (
            <Button variant="default" onClick={() => void waiting.refetch()}>
              Retry
            </Button>
          )}
          <Button
            size="sm"
            loading={waiting.isPending}
            disabled={!count || waiting.isFetching}
            onClick={() => void handleMigrate()}
          >
            Migrate agents from old server
          </Button>
        </div>
      </FormSection>
      <FormSection
        title="What happens"
        about="Migrating again is safe: agents who were already migrated are not changed."
      >
        <WholeRow>
          <ul className={classes.steps}>
            <li>Each agent is added to their office and approved. A missing office is created.</li>
            <li>They sign in with the old username and password, then choose a new password.</li>
            <li>Agents who can’t be migrated are listed here with the reason.</li>
          </ul>
        </WholeRow>
      </FormSection>
      {failures.length > 0 && <FailedAgents failures={failures} />}
    </div>
  )
}
