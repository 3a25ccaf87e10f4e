import { useParams } from '@tanstack/react-router'

/** The office, agent or site that a list is narrowed to. */
export interface Within {
  companyId?: number
  agentId?: number
  siteId?: number
}

/**
 * On a tab of an object's page, that object; empty on a list's own page. Lists narrow their
 * criteria to it.
 */
export function useWithin(): Within {
  const { companyId, agentId, siteId } = useParams({ strict: false })
  return {
    ...(companyId !== undefined && { companyId: Number(companyId) }),
    ...(agentId !== undefined && { agentId: Number(agentId) }),
    ...(siteId !== undefined && { siteId: Number(siteId) }),
  }
}

/** Whether a list is narrowed by more than the object whose tab it is. */
export const isFiltered = (criteria: object, within: Within = {}): boolean =>
  Object.entries(criteria).some(([name, value]) => value !== undefined && !(name in within))

/** Drops the columns that would repeat the object's name in every row. */
export const columnsWithin = <Column extends { id: string }>(
  columns: readonly Column[],
  { companyId, agentId, siteId }: Within,
): Column[] =>
  columns.filter(
    ({ id }) =>
      !(id === 'officeName' && (companyId ?? agentId) !== undefined) &&
      !((id === 'agent' || id === 'agentUsername') && agentId !== undefined) &&
      !(id === 'sitename' && siteId !== undefined),
  )
