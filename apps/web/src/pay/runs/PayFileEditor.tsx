import { Alert, Button, Checkbox, NumberInput, TextInput } from '@mantine/core'
import {
  knownInstitutions,
  type PayFileLayout,
  type ListedPayFileTemplate,
  payFileLayoutSchema,
  problemsOfLayout,
} from '@tallyroom/contract/pay/files'
import { payFileLabels } from '@tallyroom/contract/pay/labels'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { isApiError } from '../../lib/api-error.ts'
import { failureText } from '../../lib/form-errors.ts'
import { useOneMutation } from '../../lib/use-one-mutation.ts'
import { FormError } from '../../ui/form/FormError.tsx'
import { Select } from '../../ui/Select.tsx'
import { toastSaved } from '../../ui/toasts.tsx'
import { ChannelFields } from './ChannelFields.tsx'
import { ColumnFields } from './ColumnFields.tsx'
import { EdgeFields } from './EdgeFields.tsx'
import { InstitutionFields } from './InstitutionFields.tsx'
import { PayerFields } from './PayerFields.tsx'
import { createTemplate, previewQuery, templatesQuery, updateTemplate } from './payment-runs.api.ts'
import classes from './runs.module.css'
import { refreshPay } from '../refresh-pay.ts'

interface PayFileEditorProps {
  /** Undefined for a new one. */
  template: ListedPayFileTemplate | undefined
  start: PayFileLayout
  onSaved: (id: number) => void
}

/** Edits a template’s layout next to a preview of its file. */
export function PayFileEditor({ template, start, onSaved }: PayFileEditorProps) {
  const client = useQueryClient()
  const [name, setName] = useState(template?.name ?? '')
  const [layout, setLayout] = useState(start)
  const parsed = payFileLayoutSchema.safeParse(layout)
  const change = (next: Partial<PayFileLayout>) => setLayout({ ...layout, ...next })
  const changeColumns = (columns: PayFileLayout['columns']) =>
    change({
      columns,
      ...(wantsNames(columns) &&
        layout.institutions.length === 0 && { institutions: knownInstitutions() }),
    })
  const saving = useOneMutation({
    mutationFn: async () => {
      if (!template) return (await createTemplate({ name, layout })).id
      await updateTemplate(template.id, { name, layout, version: template.version })
      return template.id
    },
    onSuccess: async (id) => {
      await client.invalidateQueries({ queryKey: templatesQuery.queryKey })
      await refreshPay(client)
      toastSaved()
      onSaved(id)
    },
  })
  const refusal = isApiError(saving.error, 'VALIDATION_ERROR')
    ? failureText(saving.error)
    : undefined
  const isMessage = layout.format === 'pain.001'
  const [problem] = parsed.error?.issues ?? []
  const columnProblems = problemsOfLayout(layout)
  return (
    <>
      <FormError>{refusal}</FormError>
      {template && template.usedBy !== null && (
        <Alert color="blue">
          A change is for runs that are prepared afterwards. {template.usedBy} and earlier runs keep
          the template as it was when they were prepared.
        </Alert>
      )}
      <div className={classes.row}>
        <TextInput
          label={payFileLabels.name}
          withAsterisk
          maxLength={60}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Select
          label={payFileLabels.format}
          data={[
            { value: 'separated', label: 'Separated values' },
            { value: 'fixed', label: 'Fixed width' },
            { value: 'xlsx', label: 'Excel workbook (.xlsx)' },
            { value: 'pain.001', label: 'ISO 20022 (pain.001)' },
          ]}
          value={layout.format}
          onChange={(value) => value && change({ format: value })}
        />
        {layout.format === 'separated' && (
          <Select
            label={payFileLabels.separator}
            data={[
              { value: 'comma', label: 'Comma ,' },
              { value: 'semicolon', label: 'Semicolon ;' },
              { value: 'tab', label: 'Tab' },
              { value: 'pipe', label: 'Bar |' },
            ]}
            value={layout.separator}
            onChange={(value) => value && change({ separator: value })}
          />
        )}
        {(layout.format === 'separated' || layout.format === 'fixed') && (
          <Select
            label={payFileLabels.encoding}
            data={[
              { value: 'utf-8', label: 'UTF-8' },
              { value: 'windows-1252', label: 'Windows-1252' },
            ]}
            value={layout.encoding}
            onChange={(value) =>
              change({ encoding: value === 'windows-1252' ? 'windows-1252' : 'utf-8' })
            }
          />
        )}
        {!isMessage && (
          <Select
            label={payFileLabels.decimals}
            data={[
              { value: 'point', label: '1234.50' },
              { value: 'comma', label: '1234,50' },
              { value: 'none', label: '123450 (centavos)' },
            ]}
            value={layout.decimals}
            onChange={(value) => value && change({ decimals: value })}
          />
        )}
        <NumberInput
          size="xs"
          label={payFileLabels.mostLines}
          min={1}
          max={100_000}
          allowDecimal={false}
          value={layout.mostLines}
          onChange={(value) => change({ mostLines: Number(value) })}
        />
      </div>
      {isMessage ? (
        <section aria-labelledby="payer">
          <h2 id="payer">{payFileLabels.payer}</h2>
          <p className={classes.dim}>
            The message is pain.001.001.09. Each transfer says its reference, amount, account, BIC,
            account name and the run’s number.
          </p>
          <PayerFields payer={layout.payer} onChange={(payer) => change({ payer })} />
        </section>
      ) : (
        <>
          <div className={classes.bar}>
            <Checkbox
              label={payFileLabels.headings}
              checked={layout.headings}
              onChange={(event) => change({ headings: event.currentTarget.checked })}
            />
            {layout.format === 'separated' && (
              <Checkbox
                label={`${payFileLabels.quotes} (otherwise they are refused)`}
                checked={layout.quotes}
                onChange={(event) => change({ quotes: event.currentTarget.checked })}
              />
            )}
          </div>
          <section aria-labelledby="columns">
            <h2 id="columns">Columns</h2>
            <p className={classes.dim}>
              The account number, the amount and the reference are in one column each. A text is the
              same in every line, so it can’t stand for any of them.
            </p>
            {columnProblems.length > 0 && (
              <ul className={classes.problems} role="alert">
                {columnProblems.map(({ path, message }) => (
                  <li key={`${path.join(' ')} ${message}`}>
                    {placeOf(path)} {message}
                  </li>
                ))}
              </ul>
            )}
            <ColumnFields
              format={layout.format}
              columns={layout.columns}
              onChange={changeColumns}
            />
          </section>
          {(['firstLine', 'lastLine'] as const).map((edge) => (
            <section key={edge} aria-labelledby={edge}>
              <h2 id={edge}>{payFileLabels[edge]}</h2>
              <p className={classes.dim}>{edgeHints[edge]}</p>
              <EdgeFields
                of={payFileLabels[edge].toLowerCase()}
                format={layout.format}
                line={layout[edge]}
                onChange={(line) => change({ [edge]: line })}
              />
            </section>
          ))}
          {(layout.institutions.length > 0 || wantsNames(layout.columns)) && (
            <section aria-labelledby="institutions">
              <h2 id="institutions">{payFileLabels.institutions}</h2>
              <p className={classes.dim}>
                What this bank calls the banks and e-wallets of payees, as its documents say. They
                begin as the institution’s own name and BIC. A payee whose institution has no name
                here, or no code if a column has it, is left out of a run, and the run says so.
              </p>
              <InstitutionFields
                institutions={layout.institutions}
                onChange={(institutions) => change({ institutions })}
              />
            </section>
          )}
        </>
      )}
      <section aria-labelledby="channels">
        <h2 id="channels">Channels</h2>
        <p className={classes.dim}>
          One file for each. A transfer goes through the first channel that takes it. What no
          channel takes whole goes in several transfers through the first one that splits.
        </p>
        <ChannelFields channels={layout.channels} onChange={(channels) => change({ channels })} />
      </section>
      <section aria-labelledby="preview">
        <h2 id="preview">Preview, with made-up payees</h2>
        {problem ? (
          <p className={classes.dim}>
            {problem.path.join(' ')} {problem.message}
          </p>
        ) : columnProblems.length > 0 ? (
          <p className={classes.dim}>
            Once {isMessage ? 'it says who pays' : 'the columns are right'}.
          </p>
        ) : (
          <Preview layout={layout} />
        )}
      </section>
      <div className={classes.actions}>
        <Button
          loading={saving.isPending}
          disabled={!parsed.success || columnProblems.length > 0 || name.trim() === ''}
          onClick={() => saving.mutate()}
        >
          {template ? 'Save template' : 'Add template'}
        </Button>
      </div>
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

function Preview({ layout }: { layout: PayFileLayout }) {
  const { data, error } = useQuery(previewQuery(layout))
  if (error) return <FormError>{failureText(error)}</FormError>
  return data?.files.map(({ channel, text }) => (
    <div key={channel}>
      <p className={classes.dim}>{channel}</p>
      <pre
        className={classes.preview}
        aria-label={`First lines of the file for ${channel}`}
        tabIndex={0}
      >
        {text}
      </pre>
    </div>
  ))
}
