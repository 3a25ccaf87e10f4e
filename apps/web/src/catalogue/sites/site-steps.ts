import { type Site, sitesEndpoints } from '@tallyroom/contract/catalogue/sites'
import { formatCount } from '@tallyroom/domain/money'
import { call } from '../../lib/call.ts'
import { askToChange } from '../../ui/dialogs/ask-to-change.ts'
import { askToDelete } from '../../ui/dialogs/ask-to-delete.ts'

type Named = Pick<Site, 'id' | 'sitename'>

export const askToEnable = ({ id, sitename }: Named, refresh: () => Promise<unknown>) =>
  askToChange(
    {
      label: 'Enable for all offices',
      question:
        'Enable this site for all offices? It stays off for agents for whom it was switched off.',
    },
    { whose: sitename, refresh },
    () => call(sitesEndpoints.enableSiteForAllOffices, { params: { id: String(id) } }),
  )

export const askToDeleteSite = (
  { id, sitename, typeCount }: Named & Pick<Site, 'typeCount'>,
  onDeleted: () => void,
) =>
  askToDelete({
    what: 'Site',
    name: sitename,
    question: questionOf(typeCount),
    action: () => call(sitesEndpoints.deleteSite, { params: { id: String(id) } }),
    onDeleted,
  })

const questionOf = (typeCount: number) =>
  `Are you sure you want delete site and all links? ` +
  `The site, its ${typeCount === 1 ? '1 link' : `${formatCount(typeCount)} links`}, its manual and its postback keys are deleted; ` +
  `tracked links stop working, and the merchant’s postbacks, including chargebacks, are refused. ` +
  `Past clicks, sales and statistics stay.`
