import { Text } from '@mantine/core'
import { alarmsEndpoints } from '@tallyroom/contract/desk/alarms'
import { addDays } from '@tallyroom/domain/new-york'
import { useQueryClient } from '@tanstack/react-query'
import { useToday } from '../../lib/clock.ts'
import { DayPicker } from '../../ui/dates/DayPicker.tsx'
import { RecordDialog } from '../../ui/form/RecordDialog.tsx'
import { useRecordForm } from '../../ui/form/use-record-form.ts'
import { toastDone } from '../../ui/toasts.tsx'
import { useOpened } from '../../ui/use-opened.ts'
import { refreshAlarms } from './alarms.api.ts'

/** What is quieted: an alarm, or a site with its link types. */
export type Quieted = { id: number; of: 'alarm' | 'site'; name: string }

/** Asks until which day an alarm or a site is quiet. */
export function QuietDialog({ quieted, onClosed }: { quieted: Quieted; onClosed: () => void }) {
  const { id, of, name } = quieted
  const client = useQueryClient()
  const today = useToday()
  const shown = useOpened()
  const [, close] = shown
  const { form, frame } = useRecordForm({
    endpoint: of === 'alarm' ? alarmsEndpoints.quietAlarm : alarmsEndpoints.quietSite,
    params: { id: String(id) },
    values: { until: addDays(today, 7) },
    bodyOf: (values) => values,
    onSaved: () => {
      toastDone()
      close()
      void refreshAlarms(client)
    },
  })
  const { until } = form.getValues()
  return (
    <RecordDialog
      form={form}
      frame={frame}
      shown={shown}
      title={`Quiet ${name}`}
      act={until ? `Quiet until ${until}` : 'Quiet'}
      onClosed={onClosed}
    >
      <Text size="sm">
        {of === 'alarm'
          ? 'Home does not show this alarm until that day begins in New York. It still ends by itself.'
          : 'No alarm of this site or its link types is raised or shown until that day begins in New York. Whatever is wrong then is told.'}
      </Text>
      <DayPicker
        label="Until"
        value={until}
        min={addDays(today, 1)}
        max={addDays(today, 366)}
        error={form.errors.until}
        onChange={(day) => form.setFieldValue('until', day)}
      />
    </RecordDialog>
  )
}
