import { periodOf } from '@tallyroom/domain/periods'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useToday } from '../../lib/clock.ts'
import { useListState } from '../../ui/list/list-state.ts'
import { questionOf, ratesOfText } from './other-rates.ts'
import { tiersQuery, useRateSites, type WhatIfBody, whatIfQuery } from './what-if.api.ts'
import type { Recorded } from './what-if-columns.tsx'

const route = getRouteApi('/app/sites/what-if')

/** What the URL asks, and the answer. Without days, the previous half-month is asked. */
export function useWhatIf() {
  const search = route.useSearch()
  const last = periodOf(useToday(), 'beWeek', 1)
  const range = { start: search.start ?? last.start, end: search.end ?? last.end }
  const list = useListState(search, { sortField: 'difference', sortAsc: false })
  const { page, pageSize, sortField, sortAsc } = list
  const tiersNow = useQuery(tiersQuery(range.start))
  const { sites, isPending: areSitesPending } = useRateSites(search.siteIds ?? [])
  const tiers = search.tiers === undefined ? [] : tiersNow.data
  const question = tiers && questionOf(search, range, tiers)
  const body: WhatIfBody | undefined = question && {
    ...question,
    page,
    pageSize,
    sortField,
    sortAsc,
  }
  const query = useQuery(whatIfQuery(body))
  return {
    /** The criteria that the form starts with. */
    applied: {
      ...range,
      companyIds: search.companyIds,
      siteIds: search.siteIds,
      rates: search.rates,
      tiers: search.tiers,
      replaceOwn: search.replaceOwn,
    },
    groupBy: search.groupBy ?? 'company',
    list,
    sites,
    tiersNow,
    /** Undefined until other rates or tiers are entered. */
    body,
    query,
    answer: body && query.data,
    rates: ratesOfText(search.rates),
    hasTiers: search.tiers !== undefined && (tiersNow.data?.length ?? 0) > 0,
    isPending: tiersNow.isPending || areSitesPending,
  }
}

export type Asked = ReturnType<typeof useWhatIf>

/** What the figures that were recorded consist of, if an explanation can name it: one link type without tiers. */
export function recordedIn({ applied, sites, query, rates, hasTiers }: Asked): Recorded {
  const [typeId] = rates.keys()
  const siteId = sites.find(({ types }) => types.some(({ id }) => id === typeId))?.id
  if (rates.size !== 1 || typeId === undefined || siteId === undefined || hasTiers) return undefined
  // Until the answer arrives, the figures are those of the previous question.
  if (query.isPlaceholderData) return undefined
  const { start, end, companyIds } = applied
  const [companyId] = companyIds ?? []
  return { start, end, siteId, typeId, ...(companyId !== undefined && { companyId }) }
}
