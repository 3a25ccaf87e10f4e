import type { ReactNode } from 'react'
import { LinkText } from '../ui/links.tsx'
import { AgentLink, OfficeLink } from '../ui/ObjectLink.tsx'

interface Payee {
  kind: 'office' | 'agent'
  id: number
  name: string
}

/** A payee's name, which leads to their page. */
export const PayeeLink = ({ payee: { kind, id, name } }: { payee: Payee }) =>
  kind === 'office' ? (
    <OfficeLink id={id}>{name}</OfficeLink>
  ) : (
    <AgentLink id={id}>{name}</AgentLink>
  )

interface BalanceLinkProps {
  payee: Payee
  underlined?: boolean
  /** An adjustment to fill in. */
  search?: { holdBack?: number; agentId?: number; because?: string }
  /** The payee's name by default. */
  children?: ReactNode
}

/** Leads to a payee's balance. */
export const BalanceLink = ({
  payee: { kind, id, name },
  underlined = false,
  search,
  children = name,
}: BalanceLinkProps) => (
  <LinkText
    to="/app/pay/balances/$kind/$id"
    params={{ kind, id: String(id) }}
    search={search ?? {}}
    underlined={underlined}
  >
    {children}
  </LinkText>
)
