import { isName, names, type ReadManifest } from './manifest.ts';
import { requirementName } from './python-manifests.ts';
import { parseToml, type TomlTable, type TomlValue, tableAt, textsAt, tomlAt } from './toml.ts';

/** Python's pyproject.toml: of the standard, and of Poetry. */
export const pyproject: ReadManifest = (text) => {
  const root = parseToml(text);
  const groups = [tableAt(root, 'project', 'optional-dependencies'), tableAt(root, 'dependency-groups')];
  const lines = [
    ...textsAt(root, 'project', 'dependencies'),
    ...groups.flatMap((group) => [...group.keys()].flatMap((name) => textsAt(group, name))),
  ];
  const poetry = tableAt(root, 'tool', 'poetry');
  const tables = [
    tableAt(poetry, 'dependencies'),
    tableAt(poetry, 'dev-dependencies'),
    ...tablesIn(tableAt(poetry, 'group')).map((group) => tableAt(group, 'dependencies')),
  ];
  const packages = tables.flatMap((table) => [...table.keys()]).filter((name) => name !== 'python');
  return {
    name: nameIn(tomlAt(root, 'project', 'name') ?? tomlAt(poetry, 'name')),
    dependencies: names([...lines.map(requirementName), ...packages]),
  };
};

/** Python's Pipfile. */
export const pipfile: ReadManifest = (text) => {
  const root = parseToml(text);
  const tables = [tableAt(root, 'packages'), tableAt(root, 'dev-packages')];
  return { dependencies: names(tables.flatMap((table) => [...table.keys()])) };
};

/** Rust's Cargo.toml. The root of a workspace may be no package itself. */
export const cargo: ReadManifest = (text) => {
  const root = parseToml(text);
  const holders = [root, tableAt(root, 'workspace'), ...tablesIn(tableAt(root, 'target'))];
  const groups = ['dependencies', 'dev-dependencies', 'build-dependencies'];
  const tables = holders.flatMap((holder) => groups.map((group) => tableAt(holder, group)));
  const dependencies = names(tables.flatMap((table) => [...table.keys()]));
  const name = nameIn(tomlAt(root, 'package', 'name'));
  return name === undefined ? { dependencies, isModule: false } : { name, dependencies };
};

/** Gradle's catalogue of versions, which its build files name packages by. */
export const gradleCatalog: ReadManifest = (text) => {
  const libraries = [...tableAt(parseToml(text), 'libraries').values()];
  return { dependencies: names(libraries.map(coordinates)), isModule: false };
};

function coordinates(library: TomlValue): string | undefined {
  if (typeof library === 'string') return library.split(':').slice(0, 2).join(':');
  if (!(library instanceof Map)) return undefined;
  const [module, group, name] = ['module', 'group', 'name'].map((key) => tomlAt(library, key));
  if (typeof module === 'string') return module;
  return typeof group === 'string' && typeof name === 'string' ? `${group}:${name}` : undefined;
}

function tablesIn(table: TomlTable): TomlTable[] {
  return [...table.values()].flatMap((one) => (one instanceof Map ? [one] : []));
}

function nameIn(value: TomlValue | undefined): string | undefined {
  return isName(value) ? value : undefined;
}
