import { isName, names, type ReadManifest } from './manifest.ts';
import { attributeOf, elementsAt, type XmlElement, xmlElements } from './xml-tags.ts';

/** Maven's pom.xml, with what its profiles add. Managed versions are no dependencies. */
export const pom: ReadManifest = (text) => {
  const roots = xmlElements(text);
  const dependencies = ['project/dependencies/dependency', 'project/profiles/profile/dependencies/dependency'];
  const [name] = elementsAt(roots, 'project/artifactId').map((one) => one.text);
  return {
    name: isName(name) ? name : undefined,
    dependencies: names(dependencies.flatMap((path) => elementsAt(roots, path)).map(coordinates)),
  };
};

/** A project of .NET, whose name is the file's. */
export const dotnetProject: ReadManifest = (text, file) => {
  const roots = xmlElements(text);
  const packages = elementsAt(roots, 'Project/ItemGroup/PackageReference');
  const name = file.replace(/^.*\//s, '').replace(/\.\w+$/, '');
  return {
    name: isName(name) ? name : undefined,
    dependencies: names(packages.map((one) => attributeOf(one, 'Include') ?? attributeOf(one, 'Update'))),
  };
};

/** The older list of .NET's packages. */
export const packagesConfig: ReadManifest = (text) => {
  const packages = elementsAt(xmlElements(text), 'packages/package');
  return { dependencies: names(packages.map((one) => attributeOf(one, 'id'))), isModule: false };
};

function coordinates(dependency: XmlElement): string | undefined {
  const [group, artifact] = ['groupId', 'artifactId'].map(
    (name) => dependency.children.find(({ path }) => path.endsWith(`/${name}`))?.text,
  );
  return group === undefined || artifact === undefined ? undefined : `${group}:${artifact}`;
}
