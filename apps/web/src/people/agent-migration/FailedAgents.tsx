import type { MigrationFailure } from '@tallyroom/contract/people/agent-migration'
import type { ListColumn } from '../../ui/list/columns.ts'
import { DataTable } from '../../ui/list/DataTable.tsx'
import classes from './MigrationPage.module.css'

/** The agents that could not be migrated, with the reasons. */
export const FailedAgents = ({ failures }: { failures: readonly MigrationFailure[] }) => (
  <section className={classes.failed}>
    <h2>Agents that could not be migrated</h2>
    <p>Import them again, then migrate again.</p>
    <DataTable
      caption="Agents that could not be migrated"
      columns={columns}
      rows={failures}
      rowKey={({ username }) => username}
      empty={null}
    />
  </section>
)

const columns: ListColumn<MigrationFailure>[] = [
  { id: 'username', header: 'Username', card: 'title', cell: ({ username }) => username },
  { id: 'officeName', header: 'Office', card: 'title', cell: ({ officeName }) => officeName },
  { id: 'reason', header: 'Reason', card: 'title', cell: ({ reason }) => reason },
]
