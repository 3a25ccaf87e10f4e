import { accountsEndpoints, type Me } from '@tallyroom/contract/people/accounts'
import type { Viewer } from '../../access/viewer.ts'
import type { Db } from '../../db/database.ts'
import { type Route, route } from '../../http/route.ts'
import type { Services } from '../../services.ts'
import { findContact } from '../contact/contact.queries.ts'
import { type Place, placeOf } from '../factors/passkey-place.ts'
import { factorsOf } from '../factors/take-code.ts'
import { findOfficeName, findUsername, isDemoWorld } from './accounts.queries.ts'

export const accountsRoutes = ({ config, db }: Pick<Services, 'config' | 'db'>): Route[] => [
  route(accountsEndpoints.me, ({ viewer, host }) => presentMe(db, viewer, placeOf(config, host))),
]

async function presentMe(db: Db, viewer: Viewer, place: Place): Promise<Me> {
  const {
    accountId,
    username,
    role,
    officeId,
    agentId,
    permissions,
    signedInBy,
    needsNewPassword,
    needsFactor,
  } = viewer
  return {
    accountId,
    username,
    role,
    companyId: officeId ?? null,
    officeName: officeId === undefined ? null : ((await findOfficeName(db, officeId)) ?? null),
    agentId: agentId ?? null,
    permissions: [...permissions],
    signedInBy: signedInBy === undefined ? null : ((await findUsername(db, signedInBy)) ?? null),
    mustChangePassword: needsNewPassword ?? false,
    mustAddFactor: needsFactor ?? false,
    factors: await factorsOf(db, accountId, place),
    isDemo: await isDemoWorld(db),
    contact: officeId === undefined ? null : await findNamedContact(db),
  }
}

async function findNamedContact(db: Db): Promise<Me['contact']> {
  const { name, chat, email } = await findContact(db)
  return name || chat || email ? { name, chat, email } : null
}
