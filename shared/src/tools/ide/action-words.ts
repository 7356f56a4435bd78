/** An action's id in words, where the editor gives no title: "editor.action.formatDocument" is "Format Document". */
export function actionWords(id: string): string {
  const last = id.split('.').findLast((part) => part !== '') ?? id;
  const words = last
    .replaceAll(/[-_]+/g, ' ')
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .split(' ')
    .filter((word) => word !== '');
  return words.map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`).join(' ') || id;
}
