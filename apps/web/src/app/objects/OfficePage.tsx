import { notFoundText } from '@tallyroom/contract/errors'
import { officesEndpoints } from '@tallyroom/contract/people/offices'
import { can } from '@tallyroom/domain/abilities'
import { getRouteApi } from '@tanstack/react-router'
import { askToChangeOffices, officeMenu } from '../../people/offices/office-actions.ts'
import { refreshOffices } from '../../people/offices/offices.api.ts'
import { ApiError } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { LANDING } from '../../lib/pages/page.ts'
import { useMe } from '../../lib/session.ts'
import { useEnterAs } from '../../lib/forms/use-enter-as.ts'
import { FormLoader } from '../../ui/form/FormLoader.tsx'
import { StatusText } from '../../ui/text/StatusText.tsx'
import { ObjectPage, useObject } from './ObjectPage.tsx'

const route = getRouteApi('/app/offices/$companyId')

const tabs = [
  '/app/offices/$companyId',
  '/app/offices/$companyId/agents',
  '/app/offices/$companyId/sales',
  '/app/offices/$companyId/clicks',
  '/app/offices/$companyId/sites',
  '/app/offices/$companyId/sign-ins',
  '/app/offices/$companyId/statements',
  '/app/offices/$companyId/alarms',
  '/app/offices/$companyId/history',
] as const

/** An office's page, for staff and for the office itself. */
export function OfficePage() {
  const me = useMe()
  const params = route.useParams()
  if (me.role === 'company' && String(me.companyId) === params.companyId)
    return (
      <ObjectPage
        name={me.officeName ?? me.username}
        facts={otherName(me.username, me.officeName)}
        tabs={tabs}
        params={params}
      />
    )
  return <AnyOfficePage isStranger={!can(me, 'offices.view')} params={params} />
}

interface AnyOfficePageProps {
  /** The viewer is another office, or an agent. */
  isStranger: boolean
  params: { companyId: string }
}

function AnyOfficePage({ isStranger, params }: AnyOfficePageProps) {
  const me = useMe()
  const enterAs = useEnterAs()
  const { query, refresh } = useObject({
    key: ['office', params.companyId],
    read: ({ signal }) => {
      if (isStranger) throw new ApiError('NOT_FOUND', notFoundText('office'))
      return call(officesEndpoints.office, { params: { id: params.companyId } }, { signal })
    },
    refreshLists: refreshOffices,
  })
  const back = isStranger
    ? ({ to: LANDING, label: 'Home' } as const)
    : ({ to: '/app/offices/offices', label: 'Offices' } as const)
  return (
    <FormLoader query={query} fields={2} back={back}>
      {(office) => (
        <ObjectPage
          name={office.officeName}
          facts={
            <>
              <span>{otherName(office.username, office.officeName)}</span>
              <span>{`${office.manFirstName} ${office.manLastName}`.trim()}</span>
              <StatusText status={office} />
            </>
          }
          actions={{
            edit: { to: '/app/offices/edit/$companyId', params },
            menu: officeMenu(office, {
              onAction: (action) =>
                void askToChangeOffices(action, {
                  ids: [office.companyId],
                  whose: office.officeName,
                  refresh,
                }),
              onSignInAs: can(me, 'sign-in-as')
                ? () => enterAs({ companyId: office.companyId })
                : undefined,
              refresh,
            }),
          }}
          tabs={tabs}
          params={params}
        />
      )}
    </FormLoader>
  )
}

/** The username, unless it says again what the office is called. */
const otherName = (username: string, officeName: string | null | undefined) =>
  username.toLowerCase() === officeName?.toLowerCase() ? undefined : username
