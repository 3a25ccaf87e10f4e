import { IpLinesForm } from './IpLinesForm.tsx'
import { addLines, deleteLines } from './work-through.ts'

export const AddIpsPage = () => (
  <IpLinesForm
    work={addLines}
    title="Addresses"
    about="Clicks from them are not counted, and nobody signs in from them but superadmins."
    doing="Adding"
  />
)

export const DeleteIpsPage = () => (
  <IpLinesForm
    work={deleteLines}
    title="Addresses"
    about="From now on, their clicks count again. Entries are removed as they are listed, not by what they cover."
    doing="Deleting"
    leadsBack
  />
)
