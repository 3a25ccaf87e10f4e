import { Checkbox, Modal, Stack, TextInput } from '@mantine/core'
import { moneyText } from '@tallyroom/contract/pay/statements/statement-sections'
import {
  type PayChecks,
  type PayPeriodItem,
  payEndpoints,
} from '@tallyroom/contract/pay/closing/periods'
import { formatCount } from '@tallyroom/domain/money'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../lib/call.ts'
import { useOneMutation } from '../../lib/forms/use-one-mutation.ts'
import { DialogButtons } from '../../ui/dialogs/DialogButtons.tsx'
import { toastDone } from '../../ui/toasts.tsx'
import { useOpened } from '../../ui/use-opened.ts'
import { periodsQuery } from '../pay.api.ts'
import classes from '../pay.module.css'
import { openText } from './check-lines.tsx'
import { refreshPay } from '../refresh-pay.ts'

interface CloseDialogProps {
  period: PayPeriodItem
  /** The number of statements in the preview. */
  statements: number
  checks: PayChecks
  onClosed: () => void
}

/** Lists what is still open, and asks for the period’s name: closing cannot be undone. */
export default function CloseDialog({ period, statements, checks, onClosed }: CloseDialogProps) {
  const client = useQueryClient()
  const [opened, close] = useOpened()
  const [typed, setTyped] = useState('')
  const [isConfirmed, setIsConfirmed] = useState(checks.postbacks.length === 0)
  const closing = useOneMutation({
    mutationFn: () =>
      call(payEndpoints.closePayPeriod, {
        params: { name: period.name },
        body: {
          typed: typed.trim(),
          postbacks: checks.postbacks.map(({ siteId, waiting, conflicts }) => ({
            siteId,
            waiting,
            conflicts,
          })),
        },
      }),
    onSuccess: async () => {
      toastDone()
      close()
      // First the period itself: a closed one has neither checks nor preview to ask for again.
      await client.invalidateQueries(periodsQuery)
      return refreshPay(client)
    },
    // The open postbacks may have changed in the meantime: refetch them, so that the page shows the
    // current ones.
    onError: () => refreshPay(client),
  })
  const isTyped = typed.trim() === period.name
  return (
    <Modal
      opened={opened}
      onClose={() => !closing.isPending && close()}
      onExitTransitionEnd={onClosed}
      title={`Close ${period.name}`}
    >
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (isTyped && isConfirmed) closing.mutate()
        }}
      >
        <Stack gap="sm">
          <p className={classes.lead}>
            This makes {formatCount(statements)} {statements === 1 ? 'statement' : 'statements'} and
            can’t be undone. What arrives later goes on the next statements.
          </p>
          {checks.postbacks.length > 0 && (
            <>
              <ul className={classes.checks} aria-label="Postbacks that are still open">
                {checks.postbacks.map(({ siteId, siteName, centavos, ...open }) => (
                  <li key={siteId}>
                    <span>
                      {siteName}: {openText(open)}
                    </span>
                    <span className="tr-figures">about {moneyText(centavos, 'PHP')}</span>
                  </li>
                ))}
              </ul>
              <Checkbox
                label="Close without these postbacks"
                description="Those that are recorded later are late lines of the next statements."
                checked={isConfirmed}
                onChange={({ currentTarget }) => setIsConfirmed(currentTarget.checked)}
              />
            </>
          )}
          <TextInput
            label={`Type ${period.name} to close it`}
            data-autofocus
            autoComplete="off"
            maxLength={20}
            value={typed}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          />
          <DialogButtons
            act={`Close ${period.name}`}
            onCancel={close}
            busy={closing.isPending}
            disabled={!isTyped || !isConfirmed}
          />
        </Stack>
      </form>
    </Modal>
  )
}
