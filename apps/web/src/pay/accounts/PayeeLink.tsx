import type { AccountToConfirm } from '@tallyroom/contract/pay/accounts'
import { AgentLink, OfficeLink } from '../../ui/ObjectLink.tsx'

/** A payee's name, which leads to their page. */
export const PayeeLink = ({ payee: { kind, id, name } }: Pick<AccountToConfirm, 'payee'>) =>
  kind === 'office' ? (
    <OfficeLink id={id}>{name}</OfficeLink>
  ) : (
    <AgentLink id={id}>{name}</AgentLink>
  )
