import { useForm } from '@mantine/form'
import type { AvpSchedule } from '@tallyroom/contract/avp-schedules'
import type { Day } from '@tallyroom/domain/new-york'
import { periodOf } from '@tallyroom/domain/periods'
import { PeriodPicker } from '../../ui/dates/PeriodPicker.tsx'
import { confirm } from '../../ui/dialogs.tsx'
import { FormFrame } from '../../ui/form/FormFrame.tsx'
import { useFormEnd } from '../../ui/form/use-form-end.ts'
import { useSave } from '../../ui/form/use-save.ts'
import { refreshSchedules, type NewSchedule } from './avp-schedules.api.ts'
import classes from './AvpScheduleForm.module.css'
import { scheduleOf, scheduleProblems, type ScheduleValues } from './schedule-form.ts'
import { comingWeeks, effectText } from './schedule-weeks.ts'
import { TierFields } from './TierFields.tsx'

interface AvpScheduleFormProps {
  initialValues: ScheduleValues
  submitLabel: string
  /** All schedules that there are; of one that is changed, the others. */
  others: readonly AvpSchedule[]
  /** The first Monday that a schedule may begin on. */
  earliest: Day
  save: (schedule: NewSchedule) => Promise<unknown>
}

/** A schedule: from which week, and what a sale pays by the number of them. */
export function AvpScheduleForm(props: AvpScheduleFormProps) {
  const { initialValues, submitLabel, others, earliest, save } = props
  const { onCancel, onSaved } = useFormEnd('/app/settings/avp-schedule', refreshSchedules)
  const isTaken = (monday: Day) => others.some((other) => other.validFrom === monday)
  const form = useForm<ScheduleValues>({
    initialValues,
    validate: (values) => ({
      validFrom: isTaken(values.validFrom) ? 'There is a schedule from this Monday already' : null,
      tiers: scheduleProblems(values).length > 0,
    }),
    validateInputOnChange: ['validFrom'],
  })
  const { validFrom, tiers } = form.getValues()
  const saving = useSave(form, {
    save: (values: ScheduleValues) => save(scheduleOf(values)),
    onSaved,
  })
  const handleSubmit = async (values: ScheduleValues) => {
    const isMeant = await confirm({
      heading: submitLabel,
      body: effectText(values.validFrom, others),
      confirmLabel: 'Save',
    })
    if (isMeant) saving.mutate(values)
  }

  return (
    <FormFrame
      form={form}
      submitLabel={submitLabel}
      busy={saving.isPending}
      onSubmit={(values) => void handleSubmit(values)}
      onCancel={onCancel}
    >
      <PeriodPicker
        label="First week"
        periodLength="week"
        value={periodOf(validFrom, 'week')}
        onChange={({ start }) => form.setFieldValue('validFrom', start)}
        hints={comingWeeks(earliest)}
        min={earliest}
        error={form.errors['validFrom']}
      />
      <p className={classes.effect}>{effectText(validFrom, others)}</p>
      <TierFields
        tiers={tiers}
        problems={scheduleProblems(form.getValues())}
        onChange={(next) => form.setFieldValue('tiers', next)}
      />
    </FormFrame>
  )
}
