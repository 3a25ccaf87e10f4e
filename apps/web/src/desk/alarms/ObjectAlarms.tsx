import { useSearch } from '@tanstack/react-router'
import { useShownPageName } from '../../lib/pages/page-name.ts'
import { useWithin } from '../../shared/within.ts'
import { Alarms } from './Alarms.tsx'

/** The tab of a site or an office. */
export function ObjectAlarms() {
  const within = useWithin()
  const { typeId } = useSearch({ strict: false })
  const name = useShownPageName() ?? ''
  const { siteId, companyId = 0 } = within
  return (
    <Alarms
      within={within}
      subject={
        siteId === undefined
          ? { watched: 'office', id: companyId, name }
          : { watched: 'site', id: siteId, name }
      }
      typeId={typeof typeId === 'number' ? typeId : undefined}
    />
  )
}
