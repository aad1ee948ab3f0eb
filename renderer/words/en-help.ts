export const help = {
  title: 'Help',
  pages: 'Help pages',
  loading: 'Opening the help pages…',
}
