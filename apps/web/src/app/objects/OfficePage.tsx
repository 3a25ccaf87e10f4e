import { officesEndpoints } from '@tallyroom/contract/offices'
import { can } from '@tallyroom/domain/abilities'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { askToChangeOffices, officeMenu } from '../../features/offices/office-actions.ts'
import { refreshOffices } from '../../features/offices/offices.api.ts'
import { ApiError } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { LANDING } from '../../lib/page.ts'
import { useMe } from '../../lib/session.ts'
import { useEnterAs } from '../../lib/use-enter-as.ts'
import { FormLoader } from '../../ui/form/FormLoader.tsx'
import { LinkButton } from '../../ui/links.tsx'
import { RowMenu } from '../../ui/list/RowMenu.tsx'
import { StatusText } from '../../ui/StatusText.tsx'
import { ObjectPage } from './ObjectPage.tsx'

const route = getRouteApi('/app/offices/$companyId')

const tabs = [
  '/app/offices/$companyId',
  '/app/offices/$companyId/agents',
  '/app/offices/$companyId/sales',
  '/app/offices/$companyId/clicks',
  '/app/offices/$companyId/sites',
  '/app/offices/$companyId/sign-ins',
  '/app/offices/$companyId/statements',
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
        facts={me.username}
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
  const client = useQueryClient()
  const enterAs = useEnterAs()
  const query = useQuery(officePageQuery(params.companyId, isStranger))
  const refresh = () =>
    Promise.all([refreshOffices(client), client.invalidateQueries({ queryKey: [OFFICE_PAGE] })])
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
              <span>{office.username}</span>
              <span>{`${office.manFirstName} ${office.manLastName}`.trim()}</span>
              <StatusText status={office} />
            </>
          }
          actions={
            <>
              <LinkButton
                to="/app/offices/edit/$companyId"
                params={params}
                variant="default"
                size="xs"
              >
                Edit
              </LinkButton>
              <RowMenu
                of={office.officeName}
                actions={officeMenu(office, {
                  onAction: (action) =>
                    void askToChangeOffices(action, {
                      ids: [office.companyId],
                      whose: office.officeName,
                      refresh,
                    }),
                  onSignInAs: can(me, 'sign-in-as')
                    ? () => enterAs({ companyId: office.companyId })
                    : undefined,
                })}
              />
            </>
          }
          tabs={tabs}
          params={params}
        />
      )}
    </FormLoader>
  )
}

/** The form loads its own data whenever it opens, so its query need not be refetched. */
const OFFICE_PAGE = 'office-page'

const officePageQuery = (companyId: string, isStranger: boolean) =>
  queryOptions({
    queryKey: [OFFICE_PAGE, companyId] as const,
    queryFn: ({ signal }) => {
      if (isStranger) throw new ApiError('NOT_FOUND', 'There is no such office.')
      return call(officesEndpoints.office, { params: { id: companyId } }, { signal })
    },
    meta: { ownErrors: true },
  })
