import { Checkbox } from '@mantine/core'
import {
  knownInstitutions,
  type PayFileLayout,
  type problemsOfLayout,
} from '@tallyroom/contract/pay/files/files'
import { payFileLabels } from '@tallyroom/contract/pay/labels'
import { ColumnFields } from './ColumnFields.tsx'
import { EdgeFields } from './EdgeFields.tsx'
import { InstitutionFields } from './InstitutionFields.tsx'
import classes from '../runs.module.css'

interface LineFieldsProps {
  layout: PayFileLayout
  problems: ReturnType<typeof problemsOfLayout>
  onChange: (next: Partial<PayFileLayout>) => void
}

/** What a file of lines consists of: headings, columns, its first and last line, and the names of institutions. */
export function LineFields({ layout, problems, onChange }: LineFieldsProps) {
  const changeColumns = (columns: PayFileLayout['columns']) =>
    onChange({
      columns,
      ...(wantsNames(columns) &&
        layout.institutions.length === 0 && { institutions: knownInstitutions() }),
    })
  return (
    <>
      <div className={classes.bar}>
        <Checkbox
          label={payFileLabels.headings}
          checked={layout.headings}
          onChange={(event) => onChange({ headings: event.currentTarget.checked })}
        />
        {layout.format === 'separated' && (
          <Checkbox
            label={`${payFileLabels.quotes} (otherwise they are refused)`}
            checked={layout.quotes}
            onChange={(event) => onChange({ quotes: event.currentTarget.checked })}
          />
        )}
      </div>
      <section aria-labelledby="columns">
        <h2 id="columns">Columns</h2>
        <p className={classes.dim}>
          The account number, the amount and the reference are in one column each. A text is the
          same in every line, so it can’t stand for any of them.
        </p>
        {problems.length > 0 && (
          <ul className={classes.problems} role="alert">
            {problems.map(({ path, message }) => (
              <li key={`${path.join(' ')} ${message}`}>
                {placeOf(path)} {message}
              </li>
            ))}
          </ul>
        )}
        <ColumnFields format={layout.format} columns={layout.columns} onChange={changeColumns} />
      </section>
      {(['firstLine', 'lastLine'] as const).map((edge) => (
        <section key={edge} aria-labelledby={edge}>
          <h2 id={edge}>{payFileLabels[edge]}</h2>
          <p className={classes.dim}>{edgeHints[edge]}</p>
          <EdgeFields
            of={payFileLabels[edge].toLowerCase()}
            format={layout.format}
            line={layout[edge]}
            onChange={(line) => onChange({ [edge]: line })}
          />
        </section>
      ))}
      {(layout.institutions.length > 0 || wantsNames(layout.columns)) && (
        <section aria-labelledby="institutions">
          <h2 id="institutions">{payFileLabels.institutions}</h2>
          <p className={classes.dim}>
            What this bank calls the banks and e-wallets of payees, as its documents say. They begin
            as the institution’s own name and BIC. A payee whose institution has no name here, or no
            code if a column has it, is left out of a run, and the run says so.
          </p>
          <InstitutionFields
            institutions={layout.institutions}
            onChange={(institutions) => onChange({ institutions })}
          />
        </section>
      )}
    </>
  )
}

const edgeHints = {
  firstLine:
    'If the bank wants a line before all others: texts, such as a record type or the account that pays, and what the file is.',
  lastLine:
    'If the bank wants a line after all others, such as the number of transfers and their sum.',
}

/** Where a problem is, such as *Column 2*. */
const placeOf = ([list, at]: (string | number)[]): string => {
  if (at === undefined) return 'The columns'
  const place = Number(at) + 1
  if (list === 'firstLine') return `Value ${place} of the first line`
  return list === 'lastLine' ? `Value ${place} of the last line` : `Column ${place}`
}

/** Whether a column has what the bank calls an institution. */
const wantsNames = (columns: PayFileLayout['columns']): boolean =>
  columns.some(({ field }) => field === 'bankName' || field === 'bankCode')
