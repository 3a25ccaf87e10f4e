import { Modal, Radio, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import {
  reportOfView,
  savedViewsEndpoints,
  type SavedView,
} from '@tallyroom/contract/desk/saved-views'
import { MAIL_SCHEDULES, type MailSchedule } from '@tallyroom/domain/saved-views'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../lib/call.ts'
import { useToday } from '../../lib/clock.ts'
import { FORM_ERROR } from '../../lib/forms/form-errors.ts'
import { DialogButtons } from '../../ui/dialogs/DialogButtons.tsx'
import { FormError } from '../../ui/form/FormError.tsx'
import { useSave } from '../../ui/form/use-save.ts'
import { validateBy } from '../../ui/form/validate-by.ts'
import { Select } from '../../ui/Select.tsx'
import { toastSaved } from '../../ui/toasts.tsx'
import { useOpened } from '../../ui/use-opened.ts'
import { refreshViews } from './saved-views.api.ts'
import { daysChoicesOf, type DaysChoice, withPeriod } from './view-url.ts'

interface ViewDialogProps {
  url: string
  /** The view that is edited. Without it, a new one is saved. */
  view?: SavedView
  /** The suggested name. */
  suggestion?: string
  /** The address that mails go to. */
  mailTo: string | null
  onClosed: () => void
}

const NEVER = 'never'

const SCHEDULE_LABELS: Record<MailSchedule, string> = {
  daily: 'Every day at 07:00',
  mondays: 'Every Monday at 07:00',
  'half-months': 'On the 1st and 16th at 07:00',
}

/** When a view is mailed, in words. */
export const scheduleLabel = (mail: MailSchedule | null): string =>
  mail === null ? 'Never' : SCHEDULE_LABELS[mail]

/** Saves the page on screen under a name, or changes a saved view. */
export default function ViewDialog({
  url,
  view,
  suggestion = '',
  mailTo,
  onClosed,
}: ViewDialogProps) {
  const client = useQueryClient()
  const today = useToday()
  const [opened, close] = useOpened()
  const choices = daysChoicesOf(url, today)
  // People return to the current period and the previous one; older ones are looked up once.
  const [periods, setPeriods] = useState<Record<string, string | undefined>>(() =>
    Object.fromEntries(
      choices.map(({ pair, periods: [first] }) => [
        pair,
        first && /^[a-z-]+?(-1)?$/.test(first.days) ? first.days : undefined,
      ]),
    ),
  )
  const savedUrl = choices.reduce((so, { pair }) => {
    const days = periods[pair]
    return days === undefined ? so : withPeriod(so, pair, days)
  }, url)

  const bodyOf = ({ name, mail }: { name: string; mail: string }) => ({
    name,
    mail: MAIL_SCHEDULES.find((schedule) => schedule === mail) ?? null,
    url: savedUrl,
  })
  const form = useForm({
    initialValues: { name: view?.name ?? suggestion, mail: view?.mail ?? NEVER },
    validate: validateBy(savedViewsEndpoints.createSavedView, bodyOf),
    validateInputOnBlur: true,
  })
  const saving = useSave(form, {
    save: async (values) => {
      const body = bodyOf(values)
      await (view
        ? call(savedViewsEndpoints.updateSavedView, { params: { id: String(view.id) }, body })
        : call(savedViewsEndpoints.createSavedView, { body }))
      await refreshViews(client)
    },
    onSaved: () => {
      toastSaved()
      close()
    },
  })

  return (
    <Modal
      opened={opened}
      onClose={close}
      onExitTransitionEnd={onClosed}
      title={view ? `Edit view: ${view.name}` : 'Save to my views'}
    >
      <form noValidate onSubmit={form.onSubmit((values) => saving.mutate(values))}>
        <Stack gap="sm">
          <FormError>{form.errors[FORM_ERROR]}</FormError>
          <TextInput
            label="Name"
            withAsterisk
            data-autofocus
            maxLength={64}
            {...form.getInputProps('name')}
          />
          {choices.map((choice) => (
            <PeriodChoice
              key={choice.pair}
              choice={choice}
              value={periods[choice.pair]}
              onChange={(days) => setPeriods({ ...periods, [choice.pair]: days })}
            />
          ))}
          {reportOfView(url) !== undefined && (
            <Select
              label="Send by email"
              disabled={mailTo === null && form.values.mail === NEVER}
              description={
                mailTo === null
                  ? 'Your account has no email address to send it to.'
                  : `New York time, to ${mailTo}: the totals, with the table as CSV.`
              }
              data={[
                { value: NEVER, label: 'Never' },
                ...MAIL_SCHEDULES.map((value) => ({ value, label: SCHEDULE_LABELS[value] })),
              ]}
              {...form.getInputProps('mail')}
            />
          )}
          <DialogButtons act="Save view" onCancel={close} busy={saving.isPending} />
        </Stack>
      </form>
    </Modal>
  )
}

interface PeriodChoiceProps {
  choice: DaysChoice
  value: string | undefined
  onChange: (days: string | undefined) => void
}

const FIXED = 'fixed'

/** Whether the days move with the calendar. */
function PeriodChoice({
  choice: { pair, start, end, periods },
  value,
  onChange,
}: PeriodChoiceProps) {
  const days = start === end ? start : `${start} – ${end}`
  return (
    <Radio.Group
      label={pair === '' ? 'Period' : `Period ${pair}`}
      value={value ?? FIXED}
      onChange={(next) => onChange(next === FIXED ? undefined : next)}
    >
      <Stack gap={6} mt={4}>
        {periods.map((period) => (
          <Radio
            key={period.days}
            size="xs"
            value={period.days}
            label={`${period.label}, whenever it is opened`}
          />
        ))}
        <Radio size="xs" value={FIXED} label={`Always ${days}`} />
      </Stack>
    </Radio.Group>
  )
}
