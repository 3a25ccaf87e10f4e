import { Box } from '@mantine/core'
import type { DatedRate } from '@tallyroom/contract/catalogue/rates'
import { formatCount, formatDollars, formatPesos } from '@tallyroom/domain/money'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import { useExchangeRate } from '../../shared/MarginMark.tsx'
import { DatesButton } from '../../shared/rates/DatesButton.tsx'
import { Prepared } from '../../shared/rates/Prepared.tsx'
import { rateColumns } from '../../shared/rates/rate-columns.ts'
import { preparedRatesQuery } from '../../shared/rates/rates.api.ts'
import { LazyRatesDrawer } from '../../shared/rates/LazyRatesDrawer.tsx'
import { SiteSelect } from '../../shared/pickers/SiteSelect.tsx'
import { TypeSelect } from '../../shared/pickers/TypeSelect.tsx'
import { useLeaveGuard } from '../../ui/form/use-leave-guard.ts'
import { CriteriaRow } from '../../ui/filters/CriteriaRow.tsx'
import { ExportCsv } from '../../ui/export/ExportCsv.tsx'
import { EmptyList } from '../../ui/list/EmptyList.tsx'
import { ListFrame } from '../../ui/list/ListFrame.tsx'
import { useListState } from '../../ui/list/list-state.ts'
import { TextFilter } from '../../ui/filters/TextFilter.tsx'
import { pageOfWhole, partsOfWhole } from '../../ui/export/whole-list.ts'
import { feeColumns, shownFee } from './fee-columns.tsx'
import { type TypeFees, typeFeesQuery } from './office-fees.api.ts'
import { SaveFailure } from './SaveState.tsx'
import { useFeeSaves } from './use-fee-saves.ts'
import { useFilters } from '../../ui/filters/use-filters.ts'
import { useAsked } from '../../ui/use-asked.ts'

const route = getRouteApi('/app/sites/company-fees')

const NONE = { siteId: 0, typeId: 0 }

/** What each office is paid for a link type: the default rates, or the office's own. */
export function OfficeFeesPage() {
  const search = route.useSearch()
  const { siteId, typeId, officeName } = search
  const list = useListState(search, { sortField: 'officeName', sortAsc: true })
  const { field, row } = useFilters({
    applied: { officeName },
    onSearch: (criteria) => list.search({ siteId, typeId, ...criteria }),
    onClear: list.clear,
  })
  const chosen = siteId !== undefined && typeId !== undefined ? { siteId, typeId } : undefined
  const query = useQuery({ ...typeFeesQuery(chosen ?? NONE), enabled: chosen !== undefined })
  const { data: prepared = [], isLoading: isPreparedLoading } = useQuery({
    ...preparedRatesQuery(chosen ?? NONE),
    enabled: chosen !== undefined,
  })
  // Whose dated rates are open: an office's, or the default rates if null.
  const { asked: dated, key, ask, end } = useAsked<number | null>()
  const saves = useFeeSaves(chosen ?? NONE)
  const [drafts, setDrafts] = useState(0)
  const onDrafts = useCallback((more: 1 | -1) => setDrafts((before) => before + more), [])
  useLeaveGuard(drafts > 0)

  const rates = rateColumns(query.data ?? { useApproveSale: false, hasBonus: false })
  const fees = chosen ? feesNamed(query.data, officeName) : []
  // Rendering earlier would shift the layout when margin marks and prepared rates arrive.
  const ready = useExchangeRate().isLoading || isPreparedLoading ? undefined : fees
  const rows = ready?.map((fee) => shownFee(fee, saves.states.get(fee.companyId)))

  const columns = feeColumns({
    rates,
    prepared,
    onDates: ask,
    onChange: saves.change,
    onDrafts,
  })
  return (
    <>
      <ListFrame
        name="Offices custom payments"
        query={pageOfWhole({ ...query, data: rows }, list)}
        list={list}
        columns={columns}
        // Do not carry drafts over to another link type.
        rowKey={(fee) => `${fee.typeId}-${fee.companyId}`}
        rowDetail={({ companyId, saves: { outcome } = {} }) =>
          outcome?.kind === 'failed' && (
            <SaveFailure
              reason={outcome.reason}
              onRetry={() => saves.change(companyId, outcome.change)}
            />
          )
        }
        empty={
          chosen ? (
            <EmptyList
              text={officeName && 'No offices match'}
              about="Every office that may sell the site appears here with what it is paid."
              onClear={
                officeName
                  ? () => list.search({ siteId, typeId, officeName: undefined })
                  : undefined
              }
            />
          ) : (
            'Choose a site and a type'
          )
        }
        criteria={
          <CriteriaRow {...row}>
            <SiteSelect
              withSuspended
              placeholder="Choose a site"
              value={siteId}
              onChange={(next) => list.search({ siteId: next, officeName })}
            />
            <TypeSelect
              placeholder="Choose a type"
              siteId={siteId}
              value={typeId}
              onChange={(next) => list.search({ siteId, typeId: next, officeName })}
            />
            <TextFilter label="Office" maxLength={100} {...field('officeName')} />
          </CriteriaRow>
        }
        summary={
          chosen && (
            <Defaults of={ready && query.data} prepared={prepared} onDates={() => ask(null)} />
          )
        }
        actions={
          <ExportCsv
            fileName="offices-custom-payments"
            columns={columns}
            fetchPage={partsOfWhole(fees?.map((fee) => shownFee(fee, undefined)))}
            disabled={!fees?.length}
          />
        }
      />
      {chosen && query.data && dated !== undefined && (
        <LazyRatesDrawer
          key={key}
          of={{ ...chosen, companyId: dated }}
          name={
            dated === null
              ? `Default rates of ${query.data.typename}`
              : `${fees?.find(({ companyId }) => companyId === dated)?.officeName}’s rates for ${query.data.typename}`
          }
          columns={rates}
          onClosed={end}
        />
      )}
    </>
  )
}

/** The default rates. Reserves its space while they load. */
function Defaults({
  of: known,
  prepared,
  onDates,
}: {
  of: TypeFees | undefined
  prepared: readonly DatedRate[]
  onDates: () => void
}) {
  const defaults = known?.fees[0]?.defaults
  return (
    <Box component="span" display="block" mih={{ base: '7.75em', sm: '3.1em' }}>
      {defaults && (
        <>
          {known.typename}: earning {formatDollars(defaults.earning)}, payout{' '}
          {formatPesos(defaults.payout)}, LPP {formatCount(defaults.lpp)} for offices without own
          rates. Changes apply to sales from now on; what is prepared stays prepared.{' '}
          <DatesButton onClick={onDates}>Dates of the default rates…</DatesButton>{' '}
          <Prepared
            inline
            rates={prepared.filter(({ companyId }) => companyId === null)}
            present={defaults.payout}
            field="payout"
            unit="pesos"
          />
        </>
      )}
    </Box>
  )
}

const feesNamed = (known: TypeFees | undefined, part = '') =>
  known?.fees.filter(({ officeName }) => officeName.toLowerCase().includes(part.toLowerCase()))
