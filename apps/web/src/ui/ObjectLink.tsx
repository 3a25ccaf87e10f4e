import { isAtLeast } from '@tallyroom/domain/roles'
import type { ReactNode } from 'react'
import { useMe } from '../lib/session.ts'
import { LinkText } from './links.tsx'

export interface ObjectLinkProps {
  id: number
  /** The name. Plain text for viewers who may not open the page. */
  children: ReactNode
}

/** An office's name, linked to its page for staff and for the office itself. */
export function OfficeLink({ id, children }: ObjectLinkProps) {
  const me = useMe()
  if (!isAtLeast(me.role, 'admin') && !(me.role === 'company' && me.companyId === id))
    return children
  return (
    <LinkText to="/app/offices/$companyId" params={{ companyId: String(id) }}>
      {children}
    </LinkText>
  )
}

interface AgentLinkProps extends ObjectLinkProps {
  /**
   * The agent's office, in lists of the whole network, because an office may open only its own
   * agents.
   */
  companyId?: number
}

/** An agent's name, linked to their page for staff, the agent's office, and the agent. */
export function AgentLink({ id, companyId, children }: AgentLinkProps) {
  const me = useMe()
  const isOpen =
    isAtLeast(me.role, 'admin') ||
    (me.role === 'company' && (companyId ?? me.companyId) === me.companyId) ||
    me.agentId === id
  if (!isOpen) return children
  return (
    <LinkText to="/app/agents/$agentId" params={{ agentId: String(id) }}>
      {children}
    </LinkText>
  )
}

interface AccountLinkProps {
  agentId: number | null
  companyId: number | null
  /** The username. */
  children: ReactNode
}

/**
 * A username, linked to the page of the agent or office whose account it is. Staff have no page.
 */
export function AccountLink({ agentId, companyId, children }: AccountLinkProps) {
  if (agentId !== null) return <AgentLink id={agentId}>{children}</AgentLink>
  return companyId === null ? children : <OfficeLink id={companyId}>{children}</OfficeLink>
}

interface SaleLinkProps {
  /** The event's id, as in the sale log. */
  id: string
  children: ReactNode
}

/** Leads to the page of a sale, bonus, paid click or reversal. */
export const SaleLink = ({ id, children }: SaleLinkProps) => (
  <LinkText to={salePage(id)}>{children}</LinkText>
)

const salePage = (id: string): string => `/app/sales/${encodeURIComponent(id)}`
