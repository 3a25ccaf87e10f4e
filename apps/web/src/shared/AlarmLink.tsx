import type { Alarm } from '@tallyroom/contract/desk/alarms'
import { LinkText } from '../ui/links.tsx'
import { alarmTitle } from '@tallyroom/contract/desk/alarm-words'
import { isProofAlarm } from '@tallyroom/domain/alarms'

/** An alarm's title, linked to the page whose chart shows it. */
export function AlarmLink({ alarm }: { alarm: Alarm }) {
  const { watched, watchedId, siteId } = alarm
  const title = alarmTitle(alarm)
  if (isProofAlarm(alarm.kind)) return <LinkText to="/app/settings/verification">{title}</LinkText>
  if (siteId !== null) {
    return (
      <LinkText
        to="/app/sites/$siteId/alarms"
        params={{ siteId: String(siteId) }}
        search={watched === 'type' ? { typeId: watchedId } : {}}
      >
        {title}
      </LinkText>
    )
  }
  return watched === 'office' ? (
    <LinkText to="/app/offices/$companyId/alarms" params={{ companyId: String(watchedId) }}>
      {title}
    </LinkText>
  ) : (
    <LinkText to="/app/settings/alarms">{title}</LinkText>
  )
}
