import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { FormLoader } from '../../ui/form/FormLoader.tsx'
import { BackButton } from '../../ui/links.tsx'
import { createSchedule, schedulesFormQuery, updateSchedule } from './avp-schedules.api.ts'
import { AvpScheduleForm } from './AvpScheduleForm.tsx'
import { scheduleValues } from './schedule-form.ts'
import { firstFree } from './schedule-weeks.ts'

const editRoute = getRouteApi('/app/settings/avp-schedule/$validFrom')

/** A new schedule begins as a copy of the newest one. */
export const CreateAvpSchedulePage = () => (
  <FormLoader query={useQuery(schedulesFormQuery)}>
    {({ schedules, earliest }) => (
      <AvpScheduleForm
        initialValues={scheduleValues(firstFree(earliest, schedules), schedules[0]?.tiers)}
        submitLabel="Add AVP Schedule"
        others={schedules}
        earliest={earliest}
        save={createSchedule}
      />
    )}
  </FormLoader>
)

export function EditAvpSchedulePage() {
  const { validFrom } = editRoute.useParams()
  return (
    <FormLoader query={useQuery(schedulesFormQuery)}>
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
            save={(body) => updateSchedule(validFrom, schedule.version, body)}
          />
        )
      }}
    </FormLoader>
  )
}
