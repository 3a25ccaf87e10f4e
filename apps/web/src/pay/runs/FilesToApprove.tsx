import { Button } from '@mantine/core'
import type { PaymentRun, RunReview } from '@tallyroom/contract/pay/runs/runs'
import { moneyText } from '@tallyroom/contract/pay/statements/statement-sections'
import { formatCount } from '@tallyroom/domain/money'
import type { Currency } from '@tallyroom/domain/pay'
import { useState } from 'react'
import type { ListColumn } from '../../ui/list/columns.ts'
import { DataTable } from '../../ui/list/DataTable.tsx'
import { countOf, executionText } from './run-words.ts'
import classes from '../runs.module.css'

interface FilesToApproveProps {
  /** Undefined until they are shown. */
  review: RunReview | undefined
  run: Pick<PaymentRun, 'currency' | 'executionDay' | 'bank' | 'files'>
  loading: boolean
  onShow: () => void
}

/** The lines that approving a run would send to the bank, with whole account numbers. */
export const FilesToApprove = ({ review, run, loading, onShow }: FilesToApproveProps) => (
  <section aria-labelledby="leaves">
    <h2 id="leaves">What leaves</h2>
    <p className={classes.dim}>
      These lines, and no others, can be downloaded once you have approved them. Compare the account
      numbers with what you know. {executionText(run)}
    </p>
    {review ? (
      review.files.map((file) => <FileLines key={file.name} file={file} currency={run.currency} />)
    ) : (
      <Button variant="default" loading={loading} onClick={onShow}>
        Show the files’ lines
      </Button>
    )}
  </section>
)

/** How many lines are shown at first. */
const FIRST_LINES = 100

type ShownFile = RunReview['files'][number]

function FileLines({ file, currency }: { file: ShownFile; currency: Currency }) {
  const [showsAll, setShowsAll] = useState(false)
  const { name, lines, amount, sha256 } = file
  const rows = lines.map((values, index) => ({ index, values }))
  return (
    <div className={classes.fileLines}>
      <h3>{name}</h3>
      <p className={classes.dim}>
        {countOf(lines.length, 'transfer')}, {moneyText(amount, currency)}. SHA-256{' '}
        <code className={classes.hash}>{sha256}</code>
      </p>
      <Edge name="First line" values={file.firstLine} />
      <DataTable
        caption={`Lines of ${name}`}
        columns={columnsOf(file)}
        rows={showsAll ? rows : rows.slice(0, FIRST_LINES)}
        rowKey={({ index }) => String(index)}
        empty="No lines"
      />
      {!showsAll && lines.length > FIRST_LINES && (
        <Button variant="default" size="xs" onClick={() => setShowsAll(true)}>
          Show all {formatCount(lines.length)} lines
        </Button>
      )}
      <Edge name="Last line" values={file.lastLine} />
    </div>
  )
}

/** What stands before or after the transfers. */
const Edge = ({ name, values }: { name: string; values: readonly string[] }) =>
  values.length > 0 && (
    <p>
      {name}: <code className={classes.hash}>{values.join(' | ')}</code>
    </p>
  )

const columnsOf = ({ headings }: ShownFile): ListColumn<{ index: number; values: string[] }>[] =>
  headings.map((header, at) => ({
    id: String(at),
    header,
    // Each value counts, so a card on a phone hides none.
    card: 'title',
    cell: ({ values }) => values[at],
  }))
