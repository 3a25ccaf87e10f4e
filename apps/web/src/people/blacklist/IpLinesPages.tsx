import { IpLinesForm } from './IpLinesForm.tsx'
import { addLines, deleteLines } from './work-through.ts'

export const AddIpsPage = () => (
  <IpLinesForm
    work={addLines}
    about="Clicks from them are not counted, and only superadmins can sign in from them."
    doing="Adding"
  />
)

export const DeleteIpsPage = () => (
  <IpLinesForm
    work={deleteLines}
    about="From now on, their clicks count again. Only exact entries are removed, not the ranges that contain them."
    doing="Deleting"
    leadsBack
  />
)
