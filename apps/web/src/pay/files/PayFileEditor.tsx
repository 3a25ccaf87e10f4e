import { Alert, Button, TextInput } from '@mantine/core'
import {
  type PayFileLayout,
  type ListedPayFileTemplate,
  payFileLayoutSchema,
  problemsOfLayout,
} from '@tallyroom/contract/pay/files/files'
import { payFileLabels } from '@tallyroom/contract/pay/labels'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { isApiError } from '../../lib/api-error.ts'
import { failureText } from '../../lib/forms/form-errors.ts'
import { useOneMutation } from '../../lib/forms/use-one-mutation.ts'
import { FormError } from '../../ui/form/FormError.tsx'
import { toastSaved } from '../../ui/toasts.tsx'
import { ChannelFields } from './ChannelFields.tsx'
import { FormatFields } from './FormatFields.tsx'
import { LineFields } from './LineFields.tsx'
import { PayerFields } from './PayerFields.tsx'
import {
  createTemplate,
  previewQuery,
  templatesQuery,
  updateTemplate,
} from '../payment-runs.api.ts'
import classes from '../runs.module.css'
import { refreshPay } from '../refresh-pay.ts'

interface PayFileEditorProps {
  /** Undefined for a new one. */
  template: ListedPayFileTemplate | undefined
  start: PayFileLayout
  onSaved: (id: number) => void
}

/** Edits a template’s layout next to a preview of its file. */
export function PayFileEditor({ template, start, onSaved }: PayFileEditorProps) {
  const [name, setName] = useState(template?.name ?? '')
  const [layout, setLayout] = useState(start)
  const change = (next: Partial<PayFileLayout>) => setLayout({ ...layout, ...next })
  const saving = useSaving({ template, name, layout, onSaved })
  const refusal = isApiError(saving.error, 'VALIDATION_ERROR')
    ? failureText(saving.error)
    : undefined
  const problems = problemsOfLayout(layout)
  const missing = missingIn(layout, problems)
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
        <FormatFields layout={layout} onChange={change} />
      </div>
      {layout.format === 'pain.001' ? (
        <section aria-labelledby="payer">
          <h2 id="payer">{payFileLabels.payer}</h2>
          <p className={classes.dim}>
            The message is pain.001.001.09. Each transfer says its reference, amount, account, BIC,
            account name and the run’s number.
          </p>
          <PayerFields payer={layout.payer} onChange={(payer) => change({ payer })} />
        </section>
      ) : (
        <LineFields layout={layout} problems={problems} onChange={change} />
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
        {missing === undefined ? (
          <Preview layout={layout} />
        ) : (
          <p className={classes.dim}>{missing}</p>
        )}
      </section>
      <div className={classes.actions}>
        <Button
          loading={saving.isPending}
          disabled={missing !== undefined || name.trim() === ''}
          onClick={() => saving.mutate()}
        >
          {template ? 'Save template' : 'Add template'}
        </Button>
      </div>
    </>
  )
}

/** Saves a template as it is edited, or a new one. */
function useSaving({
  template,
  name,
  layout,
  onSaved,
}: Pick<PayFileEditorProps, 'template' | 'onSaved'> & { name: string; layout: PayFileLayout }) {
  const client = useQueryClient()
  return useOneMutation({
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
}

/** What is missing before a file can be shown, in a sentence; undefined if nothing is. */
function missingIn(
  layout: PayFileLayout,
  problems: ReturnType<typeof problemsOfLayout>,
): string | undefined {
  const [issue] = payFileLayoutSchema.safeParse(layout).error?.issues ?? []
  if (issue) return `${issue.path.join(' ')} ${issue.message}`
  if (problems.length === 0) return undefined
  return `Once ${layout.format === 'pain.001' ? 'it says who pays' : 'the columns are right'}.`
}

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
