// What the pages of a payee and of the settings have besides. One chunk, loaded after the page.
export { ConversionDialog } from './acts/ConversionDialog.tsx'
export { GiveUpDialog } from './acts/GiveUpDialog.tsx'
export { OutsideDialog } from './acts/OutsideDialog.tsx'
export { ReceivedDialog } from './acts/ReceivedDialog.tsx'
export { TaxCertificates } from './books/TaxCertificates.tsx'
export { PayerDetails, TaxDetails } from './acts/TaxDetails.tsx'
