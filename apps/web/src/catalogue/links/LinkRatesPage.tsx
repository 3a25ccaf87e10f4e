import { type AvpStanding, avpWeekEndpoints } from '@tallyroom/contract/figures/avp-week'
import { linksEndpoints, type LinkRate } from '@tallyroom/contract/catalogue/links'
import { can } from '@tallyroom/domain/abilities'
import { EVENT_TYPE, eventTypeLabel } from '@tallyroom/domain/event-types'
import { formatPesos } from '@tallyroom/domain/money'
import { dayOf } from '@tallyroom/domain/new-york'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { queryOf } from '../../lib/queries.ts'
import { useMe } from '../../lib/session.ts'
import { AgentSelect } from '../../shared/pickers/AgentSelect.tsx'
import { OfficeSelect } from '../../shared/pickers/OfficeSelect.tsx'
import { ExportCsv } from '../../ui/export/ExportCsv.tsx'
import { pageOfWhole, partsOfWhole } from '../../ui/export/whole-list.ts'
import { CriteriaRow } from '../../ui/filters/CriteriaRow.tsx'
import { useDraft } from '../../ui/filters/use-draft.ts'
import type { ListColumn } from '../../ui/list/columns.ts'
import { LinkButton } from '../../ui/links.tsx'
import { EmptyList } from '../../ui/list/EmptyList.tsx'
import { useListState } from '../../ui/list/list-state.ts'
import { ListFrame } from '../../ui/list/ListFrame.tsx'
import { InstantDay } from '../../ui/text/Instant.tsx'
import classes from './LinkRatesPage.module.css'
import { linkName } from './link-columns.tsx'
import type { RatesSearch } from './links-search.ts'

const route = getRouteApi('/app/links/rates')

/** What each link pays an agent, on all sites: by rates, or by the tier of the week, and what is prepared. */
export function LinkRatesPage() {
  const me = useMe()
  const search = route.useSearch()
  const list = useListState(search, { sortField: 'name', sortAsc: true })
  const agentId = me.agentId ?? search.agentId
  const query = useQuery({
    ...queryOf(linksEndpoints.linkRates, { body: { agentId } }, { meta: { ownErrors: true } }),
    enabled: agentId !== undefined,
  })
  const standing = useQuery({
    ...queryOf(
      avpWeekEndpoints.avpStanding,
      { params: { agentId: String(agentId) } },
      { meta: { ownErrors: true } },
    ),
    enabled: agentId !== undefined,
  })
  const items = agentId === undefined ? [] : standing.isPending ? undefined : query.data?.items
  const columns = columnsOf(standing.data)
  return (
    <ListFrame
      name="Rates"
      query={pageOfWhole({ ...query, data: items }, list)}
      list={list}
      columns={columns}
      rowKey={({ typeId }) => String(typeId)}
      empty={
        agentId === undefined ? (
          'Choose an agent to see what their links pay'
        ) : query.data?.payoutVisible === false ? (
          <EmptyList
            text="What sales pay is not shown"
            about="Your network does not show payouts to offices and agents. Ask it what your links pay."
          />
        ) : (
          <EmptyList
            text="No links yet"
            about="What a sale pays appears here for each link of the sites that the agent sells."
          />
        )
      }
      criteria={
        can(me, 'agents.choose') && (
          <Criteria
            applied={search}
            busy={query.isFetching}
            onSearch={(criteria) => list.search(criteria)}
          />
        )
      }
      actions={
        <>
          {agentId !== undefined && (
            <LinkButton
              to="/app/stats/avp-week"
              search={me.agentId === agentId ? {} : { agentId }}
              variant="default"
            >
              AVP tiers
            </LinkButton>
          )}
          <ExportCsv
            fileName="rates"
            columns={columns}
            fetchPage={partsOfWhole(items)}
            disabled={!items?.length}
          />
        </>
      }
    />
  )
}

interface CriteriaProps {
  applied: RatesSearch
  busy: boolean
  onSearch: (criteria: Pick<RatesSearch, 'companyId' | 'agentId'>) => void
}

function Criteria({ applied: { companyId, agentId }, busy, onSearch }: CriteriaProps) {
  const me = useMe()
  const [draft, change] = useDraft({ companyId, agentId })
  return (
    <CriteriaRow busy={busy} onSearch={() => onSearch(draft)}>
      {can(me, 'offices.choose') && (
        <OfficeSelect
          onlyAvailable
          value={draft.companyId}
          onChange={(office) => change({ companyId: office, agentId: undefined })}
        />
      )}
      <AgentSelect
        required
        placeholder="Choose an agent"
        companyId={draft.companyId}
        value={draft.agentId}
        onChange={(agent) => change({ agentId: agent })}
      />
    </CriteriaRow>
  )
}

/** A sale of an AVP site, by the tier of the week. Undefined where rates pay it. */
function tierOf({ avp }: LinkRate, standing: AvpStanding | undefined) {
  const isPaid = standing?.paidBy === 'instead' || standing?.paidBy === 'on-top'
  const tier = avp && isPaid && standing.tiers.find(({ index }) => index === standing.tier)
  return tier && tier.rate
    ? { index: tier.index, pays: tier.rate.php, isInstead: standing.paidBy === 'instead' }
    : undefined
}

function columnsOf(standing: AvpStanding | undefined): ListColumn<LinkRate>[] {
  return [
    {
      id: 'name',
      header: 'Link',
      fixed: true,
      cell: (rate) => <div className={classes.name}>{linkName(rate)}</div>,
      csv: linkName,
    },
    {
      id: 'for',
      header: 'For',
      cell: (rate) => paidFor(rate, standing),
      csv: (rate) => paidFor(rate, standing),
      card: 'title',
    },
    {
      id: 'payout',
      header: 'A sale pays',
      numeric: true,
      cell: (rate) => {
        const tier = tierOf(rate, standing)
        const ofRate = formatPesos(rate.now.payout)
        if (!tier) return ofRate
        return tier.isInstead ? formatPesos(tier.pays) : `${ofRate} + ${formatPesos(tier.pays)}`
      },
      csv: [
        { header: 'Rate', value: ({ now }) => now.payout },
        { header: 'AVP tier now', value: (rate) => tierOf(rate, standing)?.pays },
      ],
      card: 'money',
    },
    {
      id: 'bonus',
      header: 'Then',
      numeric: true,
      note: 'What the same customer brings later.',
      cell: ({ now: { bonusPayout } }) => (bonusPayout === null ? '–' : formatPesos(bonusPayout)),
      csv: ({ now }) => now.bonusPayout,
    },
    {
      id: 'next',
      header: 'Changes',
      note: 'The next change of rates that is prepared.',
      cell: ({ next }) =>
        next && (
          <div className={classes.next}>
            {formatPesos(next.payout)}
            {next.bonusPayout !== null && ` + ${formatPesos(next.bonusPayout)}`} from{' '}
            <InstantDay at={next.from} />
          </div>
        ),
      csv: [
        {
          header: 'From (New York)',
          value: ({ next }) => next && dayOf(new Date(next.from)),
        },
        { header: 'Rate then', value: ({ next }) => next?.payout },
        { header: 'Bonus then', value: ({ next }) => next?.bonusPayout },
      ],
    },
  ]
}

/** `Sale by AVP tier 3, then Bonus` */
function paidFor(rate: LinkRate, standing: AvpStanding | undefined): string {
  const tier = tierOf(rate, standing)
  const by = tier ? `${tier.isInstead ? ' by' : ' and'} AVP tier ${tier.index}` : ''
  const sale = `${eventTypeLabel(EVENT_TYPE.sale, rate)}${by}`
  if (rate.now.bonusPayout === null) return sale
  return `${sale}, then ${eventTypeLabel(EVENT_TYPE.bonus, rate)}`
}
