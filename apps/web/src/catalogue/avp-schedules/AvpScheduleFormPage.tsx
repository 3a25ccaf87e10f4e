import { useForm } from '@mantine/form'
import {
  type AvpSchedule,
  avpSchedulesEndpoints,
} from '@tallyroom/contract/catalogue/avp-schedules'
import { scheduleLabels } from '@tallyroom/contract/catalogue/labels'
import type { Day } from '@tallyroom/domain/new-york'
import { periodOf } from '@tallyroom/domain/periods'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { call } from '../../lib/call.ts'
import { formQueryOf } from '../../lib/queries.ts'
import { PeriodPicker } from '../../ui/dates/PeriodPicker.tsx'
import { confirm } from '../../ui/dialogs/dialogs.tsx'
import { FormFrame } from '../../ui/form/FormFrame.tsx'
import { FormLoader } from '../../ui/form/FormLoader.tsx'
import { FormSection, WholeRow } from '../../ui/form/FormSection.tsx'
import { useFormEnd } from '../../ui/form/use-form-end.ts'
import { useSave } from '../../ui/form/use-save.ts'
import { BackButton } from '../../ui/links.tsx'
import { type NewSchedule, refreshSchedules } from './avp-schedules.api.ts'
import { WithDays } from '../../ui/text/WithDays.tsx'
import classes from './AvpScheduleForm.module.css'
import {
  scheduleOf,
  scheduleProblems,
  scheduleValues,
  type ScheduleValues,
} from './schedule-form.ts'
import { comingWeeks, effectText, firstFree } from './schedule-weeks.ts'
import { TierFields } from './TierFields.tsx'

const schedulesQuery = formQueryOf(avpSchedulesEndpoints.avpSchedules, {})
const editRoute = getRouteApi('/app/settings/avp-schedule/$validFrom')

/** A new schedule starts as a copy of the newest one. */
export const CreateAvpSchedulePage = () => (
  <FormLoader query={useQuery(schedulesQuery)}>
    {({ schedules, earliest }) => (
      <AvpScheduleForm
        initialValues={scheduleValues(firstFree(earliest, schedules), schedules[0]?.tiers)}
        submitLabel="Add AVP Schedule"
        others={schedules}
        earliest={earliest}
        save={(body) => call(avpSchedulesEndpoints.createAvpSchedule, { body })}
      />
    )}
  </FormLoader>
)

export function EditAvpSchedulePage() {
  const { validFrom } = editRoute.useParams()
  return (
    <FormLoader query={useQuery(schedulesQuery)}>
      {({ schedules, earliest }) => {
        const schedule = schedules.find(
          (known) => known.validFrom === validFrom && known.state === 'future',
        )
        if (!schedule)
          return (
            <>
              <p role="alert">No upcoming schedule starts on {validFrom}.</p>
              <BackButton to="/app/settings/avp-schedule" label="AVP Schedule" />
            </>
          )
        return (
          <AvpScheduleForm
            key={validFrom}
            initialValues={scheduleValues(validFrom, schedule.tiers)}
            submitLabel="Update AVP Schedule"
            others={schedules.filter((other) => other !== schedule)}
            earliest={earliest}
            save={(body) =>
              call(avpSchedulesEndpoints.updateAvpSchedule, {
                params: { validFrom },
                body: { ...body, version: schedule.version },
              })
            }
          />
        )
      }}
    </FormLoader>
  )
}

interface AvpScheduleFormProps {
  initialValues: ScheduleValues
  submitLabel: string
  /** All other schedules. */
  others: readonly AvpSchedule[]
  /** The first Monday on which a schedule may begin. */
  earliest: Day
  save: (schedule: NewSchedule) => Promise<unknown>
}

/** The first week of a schedule, and its tiers. */
function AvpScheduleForm(props: AvpScheduleFormProps) {
  const { initialValues, submitLabel, others, earliest, save } = props
  const { onCancel, onSaved } = useFormEnd('/app/settings/avp-schedule', refreshSchedules)
  const isTaken = (monday: Day) => others.some((other) => other.validFrom === monday)
  const form = useForm<ScheduleValues>({
    initialValues,
    validate: (values) => ({
      validFrom: isTaken(values.validFrom)
        ? 'Another schedule already starts on this Monday'
        : null,
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
      <FormSection title="When" about="A schedule applies from a Monday until the next one begins.">
        <PeriodPicker
          label={scheduleLabels.validFrom}
          periodLength="week"
          value={periodOf(validFrom, 'week')}
          onChange={({ start }) => form.setFieldValue('validFrom', start)}
          hints={comingWeeks(earliest)}
          min={earliest}
          error={form.errors['validFrom']}
        />
        <p className={classes.effect}>
          <WithDays>{effectText(validFrom, others)}</WithDays>
        </p>
      </FormSection>
      <FormSection
        title="What a sale pays"
        about="All of an agent's AVP sales of a week are paid by the tier that their number reaches."
      >
        <WholeRow>
          <TierFields
            tiers={tiers}
            problems={scheduleProblems(form.getValues())}
            onChange={(next) => form.setFieldValue('tiers', next)}
          />
        </WholeRow>
      </FormSection>
    </FormFrame>
  )
}
